import { describe, expect, it } from 'vitest';
import { nearShare, orderBySigns, scoresOfTests, testedName } from './file-signs.ts';
import { parseQuestion } from './parse-question.ts';
import { readHits } from './read-hits.ts';

const plain = { words: 0.5, kind: 0, lines: 5, near: 0.5, twin: 0, message: 0, place: 0, names: 0 };

describe('orderBySigns()', () => {
  it('rises with words, nearness and a test that fits, and falls with length and kind', () => {
    const rises = (over: Partial<typeof plain>) =>
      orderBySigns({ ...plain, ...over }, false) > orderBySigns(plain, false);
    expect(rises({ words: 0.6 })).toBe(true);
    expect(rises({ near: 0.6 })).toBe(true);
    expect(rises({ twin: 1 })).toBe(true);
    expect(rises({ message: 1 })).toBe(true);
    expect(rises({ lines: 6 })).toBe(false);
    expect(rises({ kind: Math.log(0.5) })).toBe(false);
  });

  it('lets a long file lose nothing where a text tells, and names and places count there', () => {
    const rises = (over: Partial<typeof plain>) =>
      orderBySigns({ ...plain, ...over }, true) >= orderBySigns(plain, true);
    expect(rises({ lines: 8 })).toBe(true);
    expect(rises({ place: 1 })).toBe(true);
    expect(rises({ names: 1 })).toBe(true);
    expect(rises({ kind: Math.log(0.5) })).toBe(false);
  });
});

describe('nearShare()', () => {
  const question = parseQuestion('zebra crossing');
  const weights = { idf: [3, 1], aliasIdf: [3, 1], aliasTerm: [0, 1] };
  const share = (text: string) =>
    nearShare(readHits(text, question.terms, false), question, weights);

  it('is what four lines in a row hold together, the rare words more', () => {
    expect(share('zebra\n\n\ncrossing')).toBe(1);
    expect(share('zebra\n\n\n\ncrossing')).toBe(0.75);
    expect(share('crossing')).toBe(0.25);
    expect(share('nothing')).toBe(0);
  });
});

describe('scoresOfTests()', () => {
  it('knows tests by the name of what they test, in the manner of several languages', () => {
    const paths = [
      'src/parse-url.test.ts',
      'tests/test_reader.py',
      'tree_test.go',
      'GsonTest.java',
      'spec/file_spec.rb',
      'contest.ts',
    ];
    const scores = scoresOfTests(paths.map((path, at) => ({ path, score: at + 1 })));
    expect(Object.fromEntries(scores)).toEqual({
      'parse-url': 1,
      reader: 2,
      tree: 3,
      gson: 4,
      file: 5,
    });
    expect(testedName('src/gson/Gson.java')).toBe('gson');
  });

  it('keeps the best of several', () => {
    const files = [1, 3, 2].map((score) => ({ path: `${score}/a.test.ts`, score }));
    expect(scoresOfTests(files).get('a')).toBe(3);
  });
});
