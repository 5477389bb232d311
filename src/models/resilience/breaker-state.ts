/** Failures in a row after which a model is left alone, and for how long. */
export const failuresToBreak = 5;
export const breakMs = 30_000;

/** What is kept of the breaker of a model, for all processes. */
export type BreakerState = {
  ownState?: { value?: number; openedAt?: number };
  /** failures in a row */
  breakerState?: unknown;
};

/** Milliseconds until a paused model may be asked again; 0 if it may be asked now. */
export function leftAloneMs(kept: BreakerState | undefined, nowMs: number): number {
  const { value, openedAt = 0 } = kept?.ownState ?? {};
  return value === 1 ? Math.max(0, openedAt + breakMs - nowMs) : 0;
}

/** The key of the setting that keeps it. */
export function breakerKey(model: string): string {
  return `model-breaker:${model}`;
}
