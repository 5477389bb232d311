import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../contracts/memory.ts';
import { rankCandidates } from './rank-candidates.ts';

const hourMs = 3_600_000;
const nowMs = 1_000 * hourMs;
const candidate = (id: string, bm25: number, ageHours: number, other?: Partial<MemoryRecord>) => {
  const record = {
    layer: 'interact',
    text: id,
    context: 'indexed',
    kind: 'answer',
    tags: [],
    project: '/p',
    ts: nowMs - ageHours * hourMs,
    ...other,
  } satisfies MemoryRecord;
  const { layer, ts } = record as MemoryRecord;
  return { id, bm25, layer, ts, record: record as MemoryRecord };
};
const use = { cosineFloor: 0, perhapsCosine: 0.25, sureCosine: 0.5 };
const options = { nowMs, alpha: 0.4, use, askedWords: 1, rows: 100 };

describe('rankCandidates()', () => {
  it('multiplies share of the best score, layer weight and decay, and shows each', () => {
    const [first, second] = rankCandidates([candidate('a', 4, 0), candidate('b', 2, 48)], options);
    expect(first).toMatchObject({
      id: 'a',
      score: 1.2,
      factors: { bm25: 4, fused: 1, layerWeight: 1.2, decay: 1 },
    });
    expect(second?.factors).toEqual({ bm25: 2, fused: 0.5, layerWeight: 1.2, decay: 0.9 });
    expect(second?.score).toBeCloseTo(0.54, 12);
  });

  it('never lets age take more than a fifth, nor the future count above now', () => {
    const hits = rankCandidates([candidate('old', 1, 90_000), candidate('future', 1, -5)], options);
    expect(hits.map(({ id, factors }) => [id, factors.decay])).toEqual([
      ['future', 1],
      ['old', 0.8],
    ]);
  });

  it('weighs other layers by their own half-life', () => {
    const layered = candidate('a', 1, 30 * 24, { layer: 'insights' });
    expect(rankCandidates([layered], options)[0]?.factors).toMatchObject({
      layerWeight: 1,
      decay: 0.9,
    });
    const asset = candidate('b', 1, 900, { layer: 'assets' });
    expect(rankCandidates([asset], options)[0]?.factors).toMatchObject({
      layerWeight: 0.8,
      decay: 1,
    });
  });

  it('takes the first of two with one id and drops what does not match', () => {
    const candidates = [
      candidate('a', 1, 0, { text: 'new' }),
      candidate('a', 3, 5, { text: 'old' }),
      candidate('b', 0, 0),
      candidate('c', 0.5, 0),
    ];
    const ranked = rankCandidates(candidates, options);
    expect(ranked.map(({ record }) => record.text)).toEqual(['new', 'c']);
    expect(rankCandidates([], options)).toEqual([]);
  });

  it('puts the newer first on a tie', () => {
    const ranked = rankCandidates([candidate('old', 1, 800), candidate('new', 1, 700)], options);
    expect(ranked.map(({ id }) => id)).toEqual(['new', 'old']);
  });

  it('adds both arms as shares of their best, α of it the cosine, and shows both', () => {
    const near = { ...candidate('near', 0, 0), cosine: 0.8 };
    const both = { ...candidate('both', 2, 0), cosine: 0.4 };
    const words = { ...candidate('words', 4, 0), cosine: -0.2 };
    const hits = rankCandidates([near, both, words], options);
    const fused = Object.fromEntries(hits.map(({ id, factors }) => [id, factors.fused]));
    expect(fused.near).toBeCloseTo(0.4, 12);
    expect(fused.both).toBeCloseTo(0.6 * 0.5 + 0.4 * 0.5, 12);
    expect(fused.words).toBeCloseTo(0.6, 12);
    expect(hits.map(({ id }) => id)).toEqual(['words', 'both', 'near']);
    expect(hits[1]?.factors).toMatchObject({ bm25: 2, cosine: 0.4 });
  });

  it('leaves out turns that share no word and are not near', () => {
    const far = { ...candidate('far', 0, 0), cosine: 0.42 };
    const near = { ...candidate('near', 0, 0), cosine: 0.43 };
    expect(rankCandidates([far, near], options).map(({ id }) => id)).toEqual(['near']);
  });

  it('leaves out facts that share no word and are clearly behind the nearest', () => {
    const cosines = { best: 0.9, near: 0.3, far: 0.2, unlike: -0.1 };
    const candidates = Object.entries(cosines).map(([id, cosine]) => ({
      ...candidate(id, 0, 0),
      isKept: true,
      cosine,
    }));
    expect(rankCandidates(candidates, options).map(({ id }) => id)).toEqual(['best', 'near']);
    const [, ...unlike] = candidates.slice(2);
    expect(rankCandidates(unlike, options)).toEqual([]);
  });

  it('ranks facts by likeness first, whatever their age and layer, words by their share of all', () => {
    const kept = { isKept: true };
    const older = { ...candidate('older', 0, 9_000, { layer: 'assets' }), ...kept, cosine: 0.6 };
    const newer = { ...candidate('newer', 0, 0), ...kept, cosine: 0.5 };
    const word = { ...candidate('word', 2, 0), ...kept, cosine: 0.5 };
    const hits = rankCandidates([newer, older, word], { ...options, askedWords: 5 });
    expect(hits.map(({ id }) => id)).toEqual(['older', 'word', 'newer']);
    expect(hits[0]?.factors).toMatchObject({ layerWeight: 1.2, decay: 1 });
    const all = { ...candidate('all', 40, 0), ...kept, cosine: 0.5 };
    expect(rankCandidates([older, all], { ...options, askedWords: 5 })[0]?.id).toBe('all');
  });

  it('takes the cosine of a sentence model instead of the table, on the scale of both', () => {
    const meaningUse = { cosineFloor: 0, perhapsCosine: 0.25, sureCosine: 0.4 };
    const told = { ...candidate('told', 0, 0), isKept: true, cosine: 0.9, meaning: 0.25 };
    const other = { ...candidate('other', 0, 0), isKept: true, cosine: 0.6 };
    const hits = rankCandidates([told, other], { ...options, meaningUse });
    expect(hits.map(({ id, factors }) => [id, factors.likeness])).toEqual([
      ['other', 1.2],
      ['told', 0.5],
    ]);
  });

  it('lets an arm that has nothing add nothing', () => {
    const blind = { ...candidate('blind', 3, 0), cosine: -0.1 };
    expect(rankCandidates([blind], options)[0]?.factors.fused).toBeCloseTo(0.6, 12);
    expect(rankCandidates([candidate('plain', 3, 0)], options)[0]?.factors.fused).toBe(1);
  });
});
