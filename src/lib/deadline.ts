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

/** The longest timer; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The timer that was set for one use stays for the next, because to set one and to take it away is
 * a tenth of a short call; it looks at the clock when it fires. It keeps no process alive.
 */
export function createDeadline(): Deadline {
  let use: { onEnd: () => void; endsMs: number; paused: number; pausedMs: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let firesMs = 0;

  const watch = (own: NonNullable<typeof use>): void => {
    if (timer !== undefined && firesMs <= own.endsMs) return;
    clearTimeout(timer);
    const leftMs = Math.min(maxTimerMs, Math.max(0, own.endsMs - performance.now()));
    firesMs = own.endsMs;
    timer = setTimeout(look, leftMs).unref();
  };
  const look = (): void => {
    timer = undefined;
    if (use === undefined || use.paused > 0) return;
    if (performance.now() < use.endsMs) {
      watch(use);
      return;
    }
    const { onEnd } = use;
    use = undefined;
    onEnd();
  };
  return {
    start: (limitMs, onEnd) => {
      use = { onEnd, endsMs: performance.now() + limitMs, paused: 0, pausedMs: 0 };
      watch(use);
    },
    pauseWhile: async (work) => {
      const own = use;
      if (own === undefined) return await work();
      if (own.paused === 0) own.pausedMs = performance.now();
      own.paused += 1;
      try {
        return await work();
      } finally {
        own.paused -= 1;
        if (own.paused === 0) {
          own.endsMs += performance.now() - own.pausedMs;
          if (own === use) watch(own);
        }
      }
    },
    clear: () => {
      use = undefined;
    },
  };
}
