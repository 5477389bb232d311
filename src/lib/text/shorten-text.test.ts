import { describe, expect, it } from 'vitest';
import { shortenText } from './shorten-text.ts';

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
