import { setTimeout as sleep } from 'node:timers/promises';

/** Time that passes, which no setting of the clock changes. */
export type Timing = {
  /** ms from any beginning */
  passedMs(): number;
  /** Resolves after the time, or when the signal fires; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export const systemTiming: Timing = {
  passedMs: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};
