import { describe, expect, it } from 'vitest';
import { showHidden } from './show-hidden.ts';

describe('showHidden()', () => {
  it.each([
    ['a selector behind a letter', 'go\ufe00\ufe0f', 'go[U+FE00][U+FE0F]'],
    ['a second selector', '❤\ufe0f\ufe01', '❤\ufe0f[U+FE01]'],
    ['a joiner of graphemes', 'a\u034fb', 'a[U+034F]b'],
    ['fillers', '\u115f\u1160\uffa0', '[U+115F][U+1160][U+FFA0]'],
    ['a hyphen behind another', 'a\u00ad\u00adb', 'a[U+00AD][U+00AD]b'],
    ['what is kept free for tags', 'a\u{e0080}\u{e0fff}', 'a[U+E0080][U+E0FFF]'],
    ['controls of shorthand and music', '\u{1bca0}\u{1d173}', '[U+1BCA0][U+1D173]'],
  ])('writes out %s', (_, text, shown) => {
    expect(showHidden(text).text).toBe(shown);
  });

  it.each([
    [
      'emoji',
      '❤\ufe0f 1\ufe0f\u20e3 ☎\ufe0e 👩\u200d👩\u200d👧 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
    ['a hyphen within a word', 'Donau\u00addampf'],
    ['a variant of a letter', '芦\ufe00 ∪\ufe00 \u1820\u180b'],
    ['old Hangul', '\u1100\u1160 \u115f\u1161'],
  ])('leaves %s', (_, text) => {
    expect(showHidden(text)).toEqual({ text, shown: [] });
  });
});
