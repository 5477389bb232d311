import { KernelError } from '../contracts/error.ts';

/**
 * Calls back once when the signal fires, or at once when it has fired.
 *
 * @returns takes the callback away again
 */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  const listener = (): void => callback(signal.reason);
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** A signal for what must not outlive a piece of work. */
export type EndingSignal = {
  /** fires with the outer one, and at the end */
  readonly signal: AbortSignal;
  end(): void;
};

export function createEndingSignal(outer: AbortSignal): EndingSignal {
  const ended = new AbortController();
  return { signal: AbortSignal.any([outer, ended.signal]), end: () => ended.abort() };
}

/**
 * Waits no longer than the signal says. The work goes on without anybody who waits for it; the
 * process is kept until one of the two is there.
 *
 * @throws {KernelError} `canceled`, or what the signal was fired with
 */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const alive = setInterval(() => {}, 1_000_000);
  const stop = (): void => reject(KernelError.from(signal.reason, 'canceled'));
  // A caller that gave up is not told the outcome.
  work.catch(() => {});
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    clearInterval(alive);
    signal.removeEventListener('abort', stop);
  }
}
