import { expect, it } from 'vitest';
import { ageText } from './amounts.ts';

it.each([
  [-5000, 'just now'],
  [20_000, 'just now'],
  [60_000, '1 min ago'],
  [59 * 60_000, '59 min ago'],
  [60 * 60_000, '1 h ago'],
  [47 * 3_600_000, '47 h ago'],
  [48 * 3_600_000, '2 days ago'],
  [59 * 24 * 3_600_000, '59 days ago'],
  [91 * 24 * 3_600_000, '3 months ago'],
  [5 * 365 * 24 * 3_600_000, '5 years ago'],
])('ageText() of %i ms is "%s"', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});
