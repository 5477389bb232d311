import { describe, expect, it } from 'vitest';
import { askLines, hitRate, rankOf } from './ask-score.ts';

describe('rankOf()', () => {
  it('is the place of the first right file, and -1 when none is shown', () => {
    expect(rankOf(['a', 'b', 'c'], ['c', 'b'])).toBe(1);
    expect(rankOf(['a'], ['b'])).toBe(-1);
  });
});

describe('hitRate()', () => {
  it('counts ranks below the number of places', () => {
    expect(hitRate([0, 4, 5, -1], 5)).toBe(0.5);
    expect(hitRate([], 1)).toBe(0);
  });
});

describe('askLines()', () => {
  it('holds the published half to its bounds', () => {
    const lines = askLines({ ask: [0, 0, 0, 1], bm25: [0, -1, 7, -1] }, '');
    const byName = Object.fromEntries(lines.map((line) => [line.name, line]));
    expect(byName['ask.hit1']).toMatchObject({ value: 0.75, peerValue: 0.25, ratio: 3, ok: true });
    expect(byName['ask.hit5']).toMatchObject({ value: 1, reach: '>= 0.92', ok: true });
    expect(byName['ask.bm25.hit5']).toMatchObject({ value: 0.25, reach: 'reported' });
  });

  it('is out of reach below a bound, and only reports the other half', () => {
    const ranks = { ask: [-1], bm25: [-1] };
    expect(askLines(ranks, '').filter(({ ok }) => !ok)).toHaveLength(2);
    expect(askLines(ranks, '.tune').every(({ ok }) => ok)).toBe(true);
  });
});
