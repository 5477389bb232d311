import { randomBytes } from 'node:crypto';

/**
 * Name of a file that is written beside the one whose place it will take: `.cuervo-`, the process
 * and a random number as eight hex digits each, `.part`.
 */
export function newPartName(): string {
  const owner = process.pid.toString(16).padStart(8, '0');
  return `.cuervo-${owner}${randomBytes(4).toString('hex')}.part`;
}

const partName = /^\.cuervo-([0-9a-f]{8})[0-9a-f]{8}\.part$/;

/**
 * Whether a name is that of a part whose process is gone, so that nobody will finish it. A number
 * that another process has by now keeps the part; its age tells later.
 */
export function isStrayPart(name: string): boolean {
  const owner = partName.exec(name)?.[1];
  return owner !== undefined && !isRunning(Number.parseInt(owner, 16));
}

/** Whether a name is that of a part, whoever writes it. */
export function isPartName(name: string): boolean {
  return partName.test(name);
}

function isRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Of another user: it is there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
