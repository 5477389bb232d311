import { describe, expect, it } from 'vitest';
import { parseDuration } from './parse-grant.ts';

describe('parseDuration()', () => {
  it.each([
    ['1s', 1_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
    ['3650d', 3650 * 86_400_000],
  ])('reads %s', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  it.each(['', '2', 'h', '0h', '-1h', '1.5h', '2 h', '2H', '1y', '1h30m', '1e3s', ' 2h', '2h\n'])(
    'refuses %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(/is not a duration: a whole number and one of s/);
    },
  );

  it('refuses what is longer than ten years', () => {
    expect(() => parseDuration('3651d')).toThrow('"3651d" is longer than 3650 days');
    expect(() => parseDuration('9999999999w')).toThrow('is longer than 3650 days');
  });
});
