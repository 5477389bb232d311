import { describe, expect, it } from 'vitest';
import { nearWord, slipsBetween } from './near-word.ts';

describe('nearWord()', () => {
  it.each([
    ['intervall', 'const pingInterval = interval_of(x)', 'interval'],
    ['recieve', 'receive(); relieve()', 'receive'],
    ['abbreviatons', 'def expand_abbreviations(x):', 'abbreviations'],
    ['retyr', 'retry retry rety', 'retry'],
    ['cache', 'cathedral', undefined],
    ['guess', 'goods', undefined],
  ])('takes "%s" in "%s" for %s', (written, line, expected) => {
    expect(nearWord(written, [line])).toBe(expected);
  });
});

describe('slipsBetween()', () => {
  it.each([
    ['retry', 'retry', 0],
    ['retry', 'rerty', 1],
    ['retry', 'entries', 3],
    ['a', 'abcdef', 3],
  ])('counts the slips between %s and %s, and no more than are asked for', (one, other, slips) => {
    expect(slipsBetween(one, other, 2)).toBe(slips);
  });
});
