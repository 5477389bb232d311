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
