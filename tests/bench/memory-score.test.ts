import { describe, expect, it } from 'vitest';
import { memoryLines } from './memory-lines.ts';
import { fuseByRank, type Judged, macroMean, ndcg, recall } from './memory-score.ts';

const judged = (found: string[], relevant: string[], category = '', isOdd = false): Judged => ({
  found,
  relevant,
  category,
  isOdd,
});

describe('ndcg()', () => {
  it('discounts by the logarithm of the place, as a share of the best order', () => {
    expect(ndcg(['a', 'b'], ['a'])).toBe(1);
    expect(ndcg(['b', 'a'], ['a'])).toBeCloseTo(1 / Math.log2(3), 12);
    expect(ndcg(['a', 'x', 'b'], ['a', 'b'])).toBeCloseTo(1.5 / (1 + 1 / Math.log2(3)), 12);
    expect(ndcg([...'0123456789a'], ['a'])).toBe(0);
    expect(ndcg(['a'], [])).toBe(0);
  });
});

describe('recall()', () => {
  it('is the share of what is right among the first ten', () => {
    expect(recall(['a', 'x'], ['a', 'b'])).toBe(0.5);
    expect(recall([...'0123456789a'], ['a'])).toBe(0);
  });
});

describe('macroMean()', () => {
  it('counts each category once in its collection, each collection once', () => {
    const good = judged(['a'], ['a'], '1');
    const bad = judged(['x'], ['a'], '2');
    const score = ({ found, relevant }: Judged) => ndcg(found, relevant);
    expect(macroMean([[good, good, good, bad]], score)).toBe(0.5);
    expect(macroMean([[good, good, good], [bad]], score)).toBe(0.5);
    expect(macroMean([[good], []], score)).toBe(1);
  });
});

describe('fuseByRank()', () => {
  it('adds reciprocal ranks and keeps first-seen order on a tie', () => {
    expect(
      fuseByRank([
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ).toEqual(['b', 'a', 'c']);
    expect(fuseByRank([['a'], ['b']])).toEqual(['a', 'b']);
  });
});

describe('memoryLines()', () => {
  it('names sets, arms, embedders and halves, and holds the fused to its best arm', () => {
    const right = judged(['a'], ['a'], '', true);
    const wrong = judged(['x'], ['a']);
    const arms = new Map([
      ['fts', [right, wrong]],
      ['dense', [wrong, wrong]],
      ['fused', [wrong, wrong]],
    ]);
    const lines = memoryLines('any', 'static', [arms]);
    const byName = Object.fromEntries(lines.map((line) => [line.name, line]));
    expect(byName['any.fts']).toMatchObject({ value: 0.5, runs: 2, reach: 'reported', ok: true });
    expect(byName['any.fts.odd']).toMatchObject({ value: 1, runs: 1 });
    expect(byName['any.dense.static.recall']).toMatchObject({ value: 0, unit: 'recall@10' });
    expect(byName['any.fused.static']).toMatchObject({ reach: '>= 0.495', ok: false });
  });
});
