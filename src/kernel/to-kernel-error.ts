import { KernelError } from '../contracts/error.ts';

/** Codes of the operating system that mean: there is no more room. */
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * Any thrown value as an error to tell. What the operating system refused is no bug of ours: it
 * is told with the path and the code, so that a person can mend it.
 */
export function toKernelError(thrown: unknown): KernelError {
  if (thrown instanceof KernelError || !isSystemError(thrown)) {
    return KernelError.from(thrown, 'internal');
  }
  const { code, path, syscall } = thrown;
  const what = path === undefined ? `the system call ${syscall}` : path;
  if (full.has(code)) {
    return new KernelError('resource-exhausted', `${what} failed: ${code}`, {
      cause: thrown,
      hint: 'Free some space, or set CUERVO_HOME to a folder on another disk.',
    });
  }
  return new KernelError('unavailable', `${what} cannot be used: ${code} at ${syscall}`, {
    cause: thrown,
    hint: 'Check what it is and its permissions, or set CUERVO_HOME to another folder.',
  });
}

function isSystemError(
  thrown: unknown,
): thrown is Error & { code: string; syscall: string; path?: string } {
  const { code, syscall } = thrown as { code?: unknown; syscall?: unknown };
  return thrown instanceof Error && typeof code === 'string' && typeof syscall === 'string';
}
