import { KernelError } from '../contracts/error.ts';

const moreSpace = 'Free some space, or set CUERVO_HOME to a folder on another disk.';

/** The resource that the operating system lacks, by error code, and what to do about it. */
const exhausted: Readonly<Record<string, { lack: string; hint: string }>> = {
  ENOSPC: { lack: 'the disk is full', hint: moreSpace },
  EDQUOT: { lack: 'the quota of this user on the disk is used up', hint: moreSpace },
  EFBIG: { lack: 'the file would be larger than is allowed', hint: moreSpace },
  EMFILE: {
    lack: 'this process has too many files open',
    // Node has raised the soft limit to the hard one already.
    hint: 'Run it where more open files are allowed; see how many are here with: ulimit -Hn',
  },
  ENFILE: {
    lack: 'all programs together have too many files open',
    hint: 'End programs that hold many files open, then run it again.',
  },
  ENOMEM: {
    lack: 'there is no memory left',
    hint: 'End programs that take much memory, or run it where more is allowed; see how much is here with: ulimit -v',
  },
};

/**
 * Any thrown value as an error for people. A refusal of the operating system is not our bug: it is
 * reported with the path and the code, so that a person can fix it.
 */
export function toKernelError(thrown: unknown): KernelError {
  // Parts that did not expect it may have called it a bug already.
  let cause = thrown;
  while (cause instanceof KernelError && cause.code === 'internal') cause = cause.cause;
  if (!isSystemError(cause)) return KernelError.from(thrown, 'internal');
  const { code, path, syscall } = cause;
  const what = path === undefined ? `the system call ${syscall}` : path;
  const limit = exhausted[code];
  if (limit !== undefined) {
    const { lack, hint } = limit;
    const message = `${what} failed: ${lack} (${code})`;
    return new KernelError('resource-exhausted', message, { cause, hint });
  }
  return new KernelError('unavailable', `${what} cannot be used: ${code} at ${syscall}`, {
    cause,
    hint: 'Check what it is and its permissions, or set CUERVO_HOME to another folder.',
  });
}

function isSystemError(
  thrown: unknown,
): thrown is Error & { code: string; syscall: string; path?: string } {
  if (!(thrown instanceof Error)) return false;
  const { code, syscall } = thrown as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && typeof syscall === 'string';
}
