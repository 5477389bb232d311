import fc from 'fast-check';
import { expect, it } from 'vitest';
import { showExact } from './show-exact.ts';

it.each([
  ['git', '"git"'],
  ['a "b" \\ c', String.raw`"a \"b\" \\ c"`],
  ['two\nlines\ttab', String.raw`"two\nlines\ttab"`],
  ['\u001b[2J\u009b1A\u007f', String.raw`"\u001b[2J\u009b1A\u007f"`],
  ['x\u202egnp.\u2066', String.raw`"x\u202egnp.\u2066"`],
  ['zero\u200bwidth\ufeff\u00ad', String.raw`"zero\u200bwidth\ufeff\u00ad"`],
  ['no\u00a0break\u2028', String.raw`"no\u00a0break\u2028"`],
  ['rm\u2800x', String.raw`"rm\u2800x"`],
  ['\u{e0041}', String.raw`"\udb40\udc41"`],
  ['\ud800', String.raw`"\ud800"`],
  ['größe 🙂', '"größe 🙂"'],
])('showExact() writes %j as %s', (text, shown) => {
  expect(showExact(text)).toBe(shown);
});

it('showExact() says how much it leaves out', () => {
  expect(showExact(`${'a'.repeat(50)}${'b'.repeat(50)}`, 10)).toBe(
    '"aaaaa" … 90 characters are not shown … "bbbbb"',
  );
});

it('showExact() is read as JSON, and holds nothing that a terminal obeys', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = showExact(text);
      expect(JSON.parse(shown)).toBe(text);
      expect(shown).not.toMatch(/\p{C}/u);
    }),
  );
});
