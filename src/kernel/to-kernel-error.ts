import { KernelError } from '../contracts/error.ts';

/** Codes of the operating system that mean: there is no more room. */
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOMEM']);

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
  if (full.has(code)) {
    return new KernelError('resource-exhausted', `${what} failed: ${code}`, {
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
