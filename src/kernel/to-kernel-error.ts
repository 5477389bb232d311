import { KernelError } from '../contracts/error.ts';

/** What the operating system has no more of, by its code. */
const exhausted: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user on the disk is used up',
  EFBIG: 'the file would be larger than is allowed',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOMEM: 'there is no memory left',
};

/**
 * Any thrown value as an error to tell. What the operating system refused is no bug of ours: it
 * is told with the path and the code, so that a person can mend it.
 */
export function toKernelError(thrown: unknown): KernelError {
  // A part that did not expect it may have called it a bug already.
  const isBug = thrown instanceof KernelError && thrown.code === 'internal';
  const cause = isBug ? thrown.cause : thrown;
  if (!isSystemError(cause)) return KernelError.from(thrown, 'internal');
  const { code, path, syscall } = cause;
  const what = path === undefined ? `the system call ${syscall}` : path;
  const lack = exhausted[code];
  if (lack !== undefined) {
    return new KernelError('resource-exhausted', `${what} failed: ${lack} (${code})`, {
      cause,
      hint: 'Free some space, or set CUERVO_HOME to a folder on another disk.',
    });
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
