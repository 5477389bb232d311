import { nowMs } from './now-ms.ts';

let startedMs: number | undefined;

/** Milliseconds since the first question of this call. */
function now(): number {
  const time = nowMs();
  startedMs ??= time;
  return time - startedMs;
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
