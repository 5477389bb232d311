import { describe, expect, it } from 'vitest';
import { findHits, lineStarts } from './find-hits.ts';
import type { Term } from './parse-question.ts';

const term = (word: string, aliases: string[] = []): Term => ({
  word,
  forms: [word],
  aliases,
  weight: 1,
});

const hitsOf = (text: string, terms: Term[]) =>
  Object.fromEntries(findHits(text, lineStarts(text), terms));

describe('findHits()', () => {
  it('finds a word where a part of an identifier begins, by line', () => {
    expect(hitsOf('x\nmaxURLLength url_list curl', [term('url')])).toEqual({
      1: { full: [2], alias: [0], columns: [0, 0] },
    });
  });

  it('counts what only begins alike in the first alias column of its term', () => {
    expect(hitsOf('sign signal', [term('sign', ['auth'])])).toEqual({
      0: { full: [1], alias: [1, 0], columns: [0, 1] },
    });
  });

  it('counts each alias in a column of its own, behind a row of capitals as well', () => {
    expect(hitsOf('isDOMStream', [term('web', ['browser', 'dom'])])).toEqual({
      0: { full: [0], alias: [0, 0, 1], columns: [3] },
    });
  });
});
