import { describe, expect, it } from 'vitest';
import type { MemoryHit, MemoryReranker } from '../../contracts/memory.ts';
import { type Rerankable, rerankHits } from './rerank-hits.ts';

const ranked = (id: string, score: number, text: string | undefined = id): Rerankable => ({
  hit: {
    id,
    layer: 'interact',
    score,
    text: id,
    kind: 'note',
    tags: [],
    project: '/p',
    ts: 0,
    factors: { fused: score, layerWeight: 1, decay: 1 },
  } satisfies MemoryHit,
  text,
});
const unread = (id: string, score: number): Rerankable => ({
  ...ranked(id, score),
  text: undefined,
});

/** Scores by text; undefined for what it does not name. */
function rerankerOf(
  scores: Readonly<Record<string, number>>,
  more: Partial<MemoryReranker> = {},
): MemoryReranker & { asked: string[][] } {
  const asked: string[][] = [];
  return {
    name: 'by hand',
    candidates: 20,
    asked,
    score: async (_question, texts) => {
      asked.push([...texts]);
      return texts.map((text) => scores[text]);
    },
    ...more,
  };
}

const options = { question: 'q', pool: [], share: 0.5, signal: new AbortController().signal };
const idsOf = (hits: readonly MemoryHit[]) => hits.map(({ id }) => id).join('');

describe('rerankHits()', () => {
  it('mixes both scores, each from least to most, and shows what the reranker said', async () => {
    const hits = await rerankHits(
      [ranked('a', 3), ranked('b', 2), ranked('c', 1)],
      rerankerOf({ a: 10, b: 30, c: 10 }),
      options,
    );
    expect(hits.map(({ id, score, factors }) => [id, score, factors.rerank])).toEqual([
      ['b', 2.5, 1],
      ['a', 2, 0],
      ['c', 1, 0],
    ]);
  });

  it('leaves what was not scored in time at its place', async () => {
    const rows = [ranked('a', 5), ranked('b', 4), ranked('c', 3), ranked('d', 2)];
    const hits = await rerankHits(rows, rerankerOf({ a: 1, c: 9 }), { ...options, share: 0.6 });
    expect(idsOf(hits)).toBe('cbad');
    expect(hits[1]?.factors).not.toHaveProperty('rerank');
  });

  it('asks for no more than the reranker looks at, and not for what has no text', async () => {
    const reranker = rerankerOf({ a: 1, c: 2 }, { candidates: 3 });
    const rows = [ranked('a', 5), unread('b', 4), ranked('c', 3), ranked('d', 2)];
    expect(idsOf(await rerankHits(rows, reranker, options))).toBe('abcd');
    expect(reranker.asked).toEqual([['a', 'c']]);
  });

  it('keeps the order where the reranker finds all alike, or has nothing to compare', async () => {
    const alike = rerankerOf({ a: 4, b: 4 });
    expect(idsOf(await rerankHits([ranked('a', 2), ranked('b', 1)], alike, options))).toBe('ab');
    const one = rerankerOf({});
    expect(idsOf(await rerankHits([ranked('a', 2)], one, options))).toBe('a');
    expect(one.asked).toEqual([]);
    expect(await rerankHits([], one, options)).toEqual([]);
    expect(idsOf(await rerankHits([ranked('a', 2), ranked('b', 1)], one, options))).toBe('ab');
  });
});
