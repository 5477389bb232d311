import { describe, expect, it } from 'vitest';
import type { Likeness } from '../contracts/embedder.ts';
import { choosePassages, rankFiles, type WideFindings } from './rank-files.ts';

const rankByMeaning = <Found extends WideFindings>(found: Found, like: Likeness) =>
  choosePassages(found, rankFiles(found, { asked: like, nearest: (text) => [like(text)] }));

const file = (path: string, score: number, text: string) => ({ path, score, regions: [{ text }] });
const passage = (path: string, score: number, line = 1) => ({ path, score, line });
/** Alike is what says so. */
const likeness = (text: string): number => (text.includes('alike') ? 0.9 : 0.1);

describe('rankFiles() and choosePassages()', () => {
  it('lifts a file that is alike over one with a little more of the words', () => {
    const found = {
      files: [file('words.ts', 10, 'other'), file('meant.ts', 8, 'alike')],
      passages: [passage('words.ts', 10), passage('meant.ts', 8)],
    };
    expect(rankByMeaning(found, likeness).map(({ path }) => path)).toEqual([
      'meant.ts',
      'words.ts',
    ]);
    const same = rankByMeaning(found, () => 0.5).map(({ path }) => path);
    expect(same).toEqual(['words.ts', 'meant.ts']);
  });

  it('lifts a file with one block near each word', () => {
    const found = {
      files: [file('words.ts', 10, 'other'), file('near.ts', 8, 'alike')],
      passages: [],
    };
    const order = (nearest: Likeness) =>
      rankFiles(found, { asked: () => 0.5, nearest: (text) => [nearest(text)] }).map(
        ({ path }) => path,
      );
    expect(order(likeness)).toEqual(['near.ts', 'words.ts']);
    expect(order(() => 0.5)).toEqual(['words.ts', 'near.ts']);
  });

  it('keeps a file far ahead by words in front', () => {
    const found = {
      files: [file('words.ts', 10, 'other'), file('meant.ts', 1, 'alike')],
      passages: [passage('words.ts', 10), passage('meant.ts', 1)],
    };
    expect(rankByMeaning(found, likeness)[0]?.path).toBe('words.ts');
  });

  it('shows eight files, each with its best passage, and twelve passages', () => {
    const paths = Array.from({ length: 15 }, (_, at) => `f${at}.ts`);
    const found = {
      files: paths.map((path, at) => file(path, 20 - at, 'other')),
      passages: paths.flatMap((path, at) =>
        [1, 2, 3].map((line) => passage(path, 20 - at - line / 10, line)),
      ),
    };
    const shown = rankByMeaning(found, likeness);
    expect([...new Set(shown.map(({ path }) => path))].toSorted()).toEqual(paths.slice(0, 8));
    expect(shown).toHaveLength(12);
    expect(shown.filter(({ path }) => path === 'f0.ts').map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(shown.filter(({ path }) => path === 'f7.ts').map(({ line }) => line)).toEqual([1]);
  });

  it('gives nothing for nothing', () => {
    expect(rankByMeaning({ files: [], passages: [] }, likeness)).toEqual([]);
  });

  it('counts what an index knows of the pieces beside it', () => {
    const files = [file('one.ts', 10, 'other'), file('two.ts', 9, 'other')];
    const found = { files, passages: [] };
    const likenesses = { asked: likeness, nearest: (text: string) => [likeness(text)] };
    const order = (indexed?: ReadonlyMap<string, number>) =>
      rankFiles(found, likenesses, indexed).map(({ path }) => path);
    expect(order()).toEqual(['one.ts', 'two.ts']);
    const indexed = new Map([
      ['one.ts', 0.2],
      ['two.ts', 0.9],
    ]);
    expect(order(indexed)).toEqual(['two.ts', 'one.ts']);
    expect(order(new Map([['one.ts', -0.1]]))).toEqual(['one.ts', 'two.ts']);
  });
});
