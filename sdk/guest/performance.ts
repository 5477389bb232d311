import { guestHost } from './guest-host.ts';

let startedMs: number | undefined;

/** Milliseconds since the first question of this call; always 0 without the capability clock. */
function now(): number {
  const nowMs = guestHost.nowMs?.() ?? 0;
  startedMs ??= nowMs;
  return nowMs - startedMs;
}

const nothing = (): undefined => undefined;

export const performance = {
  now,
  timeOrigin: 0,
  mark: nothing,
  measure: nothing,
  clearMarks: nothing,
  clearMeasures: nothing,
};
