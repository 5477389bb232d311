/** A time limit that stands still while somebody else is waited for. */
export type Deadline = {
  /** Starts the clock. @param onEnd called once, when the time is up */
  start(onEnd: () => void): void;
  /** Stops the clock until the work is done, however it ends; nests. */
  pauseWhile<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Ends it for good; `onEnd` is not called any more. */
  clear(): void;
};

/** @param limitMs milliseconds of running time */
export function createDeadline(limitMs: number): Deadline {
  let leftMs = limitMs;
  let onEnd: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sinceMs = 0;
  let paused = 0;

  const run = (): void => {
    if (onEnd === undefined || paused > 0) return;
    sinceMs = performance.now();
    timer = setTimeout(onEnd, leftMs);
  };
  const stop = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs = Math.max(0, leftMs - (performance.now() - sinceMs));
  };
  return {
    start: (then) => {
      onEnd = then;
      run();
    },
    pauseWhile: async (work) => {
      paused += 1;
      stop();
      try {
        return await work();
      } finally {
        paused -= 1;
        run();
      }
    },
    clear: () => {
      stop();
      onEnd = undefined;
    },
  };
}
