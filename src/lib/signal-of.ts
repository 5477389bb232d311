import { constants } from 'node:os';

/** A sandbox, as a shell, tells the signal that ended what it ran as 128 and its number. */
export function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}
