import { randomBytes } from 'node:crypto';

/**
 * An id that sorts by time: 9 characters of milliseconds in base 36, then 8 of randomness.
 */
export function newId(nowMs: number): string {
  return `${nowMs.toString(36).padStart(9, '0')}${randomBytes(5).toString('hex').slice(0, 8)}`;
}
