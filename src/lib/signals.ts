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

/** A time limit that stands still while somebody else is waited for; used again and again. */
export type Deadline = {
  /**
   * Starts the clock anew.
   *
   * @param limitMs milliseconds of running time
   * @param onEnd called once, when the time is up
   */
  start(limitMs: number, onEnd: () => void): void;
  /** Stops the clock until the work is done, however it ends; nests. */
  pauseWhile<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Ends it; `onEnd` is not called any more. */
  clear(): void;
};

/** The longest timer, 24 days; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** It keeps no process alive. */
export function createDeadline(): Deadline {
  let use: { onEnd: () => void; leftMs: number; sinceMs: number; paused: number } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const run = (own: NonNullable<typeof use>): void => {
    own.sinceMs = performance.now();
    timer = setTimeout(own.onEnd, Math.min(maxTimerMs, Math.max(0, own.leftMs))).unref();
  };
  return {
    start: (limitMs, onEnd) => {
      clearTimeout(timer);
      use = { onEnd, leftMs: limitMs, sinceMs: 0, paused: 0 };
      run(use);
    },
    pauseWhile: async (work) => {
      const own = use;
      if (own === undefined) return await work();
      own.paused += 1;
      if (own.paused === 1) {
        clearTimeout(timer);
        own.leftMs -= performance.now() - own.sinceMs;
      }
      try {
        return await work();
      } finally {
        own.paused -= 1;
        if (own.paused === 0 && own === use) run(own);
      }
    },
    clear: () => {
      clearTimeout(timer);
      use = undefined;
    },
  };
}
