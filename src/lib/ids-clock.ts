import { randomBytes } from 'node:crypto';

/** The time, taken at the root and passed down. */
export type Clock = { nowMs(): number };

export const systemClock: Clock = { nowMs: () => Date.now() };

/** For how long something takes: it never jumps, and stands still while the machine sleeps. */
export const steadyClock: Clock = { nowMs: () => Math.round(performance.now()) };

/**
 * An id that sorts by time: 9 characters of milliseconds in base 36, then 8 of randomness.
 */
export function newId(nowMs: number): string {
  return `${nowMs.toString(36).padStart(9, '0')}${randomBytes(5).toString('hex').slice(0, 8)}`;
}
