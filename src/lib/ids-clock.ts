import { randomBytes } from 'node:crypto';
import { KernelError } from '../contracts/error.ts';

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

/**
 * Checks that an id was named: every id begins with the empty text, which is what a variable that is
 * not set becomes in a shell.
 *
 * @param what whose id it is, e.g. `run`
 * @param list the command that shows ids
 * @throws {KernelError} `invalid-argument`
 */
export function checkIdStart(start: string, what: string, list: string): void {
  if (start.trim() !== '') return;
  throw new KernelError('invalid-argument', `the id of the ${what} is empty`, {
    hint: `See ids with: ${list}`,
  });
}
