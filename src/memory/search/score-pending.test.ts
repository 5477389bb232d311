import { describe, expect, it } from 'vitest';
import { scorePending } from './score-pending.ts';

describe('scorePending()', () => {
  it('is BM25 with k1 1.2 and b 0.75', () => {
    // two texts of length 2 and 4, average 3, the word is in one of two
    const [score, other] = scorePending('heron', ['blue heron', 'green frog wet leaf'], [], 0);
    const rarity = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
    expect(score).toBeCloseTo((rarity * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 2) / 3)), 10);
    expect(other).toBe(0);
  });

  it('gives a pending text what the index gives to the same words', () => {
    const known = [
      { context: 'blue heron', bm25: 7 },
      { context: 'blue frog', bm25: 3 },
    ];
    const texts = ['blue heron', 'blue frog', 'green leaf'];
    const [heron, frog, leaf] = scorePending('blue heron', texts, known, 500);
    expect(heron! + frog!).toBeCloseTo(10, 10);
    expect(heron).toBeGreaterThan(frog!);
    expect(leaf).toBe(0);
  });

  it('ranks a rare word above a frequent one, judged with the rows of the index', () => {
    const known = ['queue one', 'queue two', 'queue three'].map((context) => ({
      context,
      bm25: 1,
    }));
    const scores = scorePending('queue heron', ['the queue', 'the heron'], known, 500);
    expect(scores[1]).toBeGreaterThan(scores[0]!);
    expect(scores[0]).toBeGreaterThan(0);
  });

  it('gives zeros for a question without words and nothing for no texts', () => {
    expect(scorePending('the of', ['blue heron'], [], 0)).toEqual([0]);
    expect(scorePending('heron', [], [{ context: 'heron', bm25: 1 }], 9)).toEqual([]);
  });

  it('does not stumble over texts without words', () => {
    expect(scorePending('heron', ['', 'heron'], [{ context: '!', bm25: 1 }], 9)[0]).toBe(0);
  });
});
