import { describe, expect, it } from 'vitest';
import { columnsOf, shortenText, wrapText } from './columns.ts';

it.each([
  ['a', 1],
  ['é', 1],
  ['e\u0301', 1],
  ['\u093e', 1],
  ['ж', 1],
  ['語', 2],
  ['ㄅ', 2],
  ['ꀀ', 2],
  ['㈠', 2],
  ['︰', 2],
  ['한', 2],
  ['\u3000', 2],
  ['\u{17000}', 2],
  ['😀', 2],
  ['\u{1f1e9}\u{1f1e9}', 4],
  ['👩\u200d👧', 5],
  ['\u1100\u1100', 4],
  ['plain words', 11],
  ['', 0],
])('columnsOf() knows how wide a terminal draws %s', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

it('wrapText() leaves no line of wide letters to the terminal, which would begin anew at its edge', () => {
  const lines = wrapText(
    '  why: ',
    `${'ㄅ'.repeat(36)}\u00a0It\u00a0cannot:\u00a0write\u00a0files.`,
  );
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^ {7}It/);
});

describe('shortenText()', () => {
  it('keeps what fits, to the last column', () => {
    expect(shortenText('abcde', 5)).toBe('abcde');
    expect(shortenText('abcdef', 5)).toBe('abcd…');
  });

  it('counts columns: two for a wide character, none for a mark over another', () => {
    expect(shortenText('注文は別です', 12)).toBe('注文は別です');
    expect(shortenText('注文は別です', 11)).toBe('注文は別で…');
    expect(shortenText('注文は別です', 10)).toBe('注文は別…');
    expect(shortenText('e\u0301'.repeat(5), 5)).toBe('e\u0301'.repeat(5));
  });

  it('cuts no character in two', () => {
    expect(shortenText('ab😀cd', 5)).toBe('ab😀…');
    expect(shortenText('ab😀cd', 4)).toBe('ab…');
  });
});
