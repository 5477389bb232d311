import { KernelError } from '../contracts/error.ts';
import { quoteValue } from '../lib/text/quote-value.ts';

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Ten years: who means longer means without an end. */
const maxMs = 3650 * 86_400_000;

/**
 * How long a grant holds, as a person types it: `90s`, `30m`, `2h`, `7d`, `2w`.
 *
 * @returns milliseconds, from one second to 3650 days
 * @throws {KernelError} `invalid-argument`
 */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,9})([smhdw])$/.exec(text) ?? [];
  const durationMs = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (durationMs <= maxMs) return durationMs;
  const wrong = Number.isNaN(durationMs)
    ? 'is not a duration: a whole number and one of s, m, h, d, w'
    : 'is longer than 3650 days';
  throw new KernelError('invalid-argument', `${quoteValue(text)} ${wrong}`, {
    hint: 'For two hours: --for 2h; for a week: --for 7d; without --for it has no end.',
  });
}
