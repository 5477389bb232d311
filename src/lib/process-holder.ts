import { readFileSync, readlinkSync } from 'node:fs';
import { once } from './memo.ts';
import { sha256 } from './sha256.ts';

/**
 * A text by which another process can tell whether this one still runs: its number, its start, and
 * the name space of the number; `-` for what the system does not tell.
 */
export function processHolder(): string {
  return `${process.pid} ${startOf(process.pid)} ${numberSpace()}`;
}

export function holderPid(holder: string): number {
  return Number(holder.split(' ')[0]);
}

/** Whether the process is certainly gone; unknown for one in another name space. */
export function isHolderGone(holder: string): boolean {
  const [pid = '', start, space] = holder.split(' ');
  if (space !== numberSpace()) return false;
  if (!isRunning(Number(pid))) return true;
  // The number may have been given to another process since.
  return startOf(Number(pid)) !== start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // The process belongs to another user, so it exists.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * In ticks since the machine started, proc_pid_stat(5); the name before it may hold anything. A
 * process that has ended and that its parent does not ask about keeps its number, and may do so
 * for ever where the first process of a container asks about none: it has no start any more.
 */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = '', threads = ''] = [fields[0], fields[17]];
    // Its first thread may have ended before the others.
    if (/^[ZX]$/.test(state) && Number(threads) <= 1) return 'ended';
    return fields[19] ?? '-';
  } catch {
    return '-';
  }
}

/** Tells this machine from others: each numbers its first name space alike, and two may share the disk of a home. */
const numberSpace = once(
  (): string => `${orUnknown(() => readlinkSync('/proc/self/ns/pid'))}@${machine()}`,
);

/** Eight digits that tell it from others, made of what it calls itself, which is private. */
function machine(): string {
  return orUnknown(() => sha256(readFileSync('/etc/machine-id', 'utf8').trim()).slice(0, 8));
}

function orUnknown(read: () => string): string {
  try {
    return read();
  } catch {
    return '-';
  }
}
