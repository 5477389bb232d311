import { didYouMean } from '../lib/text/did-you-mean.ts';

/** The caller's next action decides the code; the set is closed. */
export type ErrorCode =
  | 'invalid-argument' // fix the call
  | 'not-found'
  | 'permission-denied' // ask for a grant
  | 'resource-exhausted' // a budget or limit was reached
  | 'deadline-exceeded'
  | 'canceled'
  | 'conflict' // what was read is no longer there: read again
  | 'unavailable' // a model or provider is not there; safe to try again
  | 'tool-failed' // the tool says that it could not; its message is the reason
  | 'plugin-fault' // the guest trapped or broke its contract, or its binary is refused
  | 'internal'; // our bug

/** The one error class of the kernel. `hint` is what to type next, for people. */
export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { hint?: string }) {
    super(message, options);
    this.code = code;
    this.hint = options?.hint;
  }

  /**
   * `not-found` for a name, with those that it may be a slip for.
   *
   * @param names of the same kind
   */
  static unknownName(
    message: string,
    { name, names, hint }: { name: string; names: Iterable<string>; hint: string },
  ): KernelError {
    return new KernelError('not-found', message + didYouMean(name, names), { hint });
  }

  /** Any thrown value as a `KernelError`; the original stays in `cause`. */
  static from(thrown: unknown, fallback: ErrorCode): KernelError {
    if (thrown instanceof KernelError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const timedOut = thrown instanceof Error && thrown.name === 'TimeoutError';
    const aborted = thrown instanceof Error && thrown.name === 'AbortError';
    const code = timedOut ? 'deadline-exceeded' : aborted ? 'canceled' : fallback;
    return new KernelError(code, message, { cause: thrown });
  }
}

/** Exit codes that scripts rely on; 0 is done. */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  'invalid-argument': 2,
  'permission-denied': 3,
  'not-found': 4,
  'resource-exhausted': 5,
  'deadline-exceeded': 5,
  'plugin-fault': 6,
  unavailable: 7,
  conflict: 8,
  'tool-failed': 1,
  internal: 1,
  canceled: 130,
};

/** The message of an error or of any other thrown value. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
