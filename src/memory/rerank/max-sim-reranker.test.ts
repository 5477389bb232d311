import { describe, expect, it } from 'vitest';
import type { SentenceModel, TokenStates, VectorCache } from '../../contracts/embedder.ts';
import { decodeTokenStates, encodeTokenStates, maxSimReranker } from './rerankers.ts';

const { signal } = new AbortController();

/** One token, one of two directions. */
const stateOf = (text: string): TokenStates => ({
  dimensions: 2,
  scales: Float32Array.of(0.01),
  values: text.includes('boat') ? Int8Array.of(100, 0) : Int8Array.of(0, 100),
});

function setUp(wait: (batch: number) => Promise<void> = async () => {}) {
  const made: string[][] = [];
  const kept = new Map<string, Uint8Array>();
  const model: SentenceModel = {
    name: 'two directions',
    dimensions: 2,
    use: { alpha: 0.5, cosineFloor: 0, perhapsCosine: 0.3, sureCosine: 0.5, rerankShare: 0.5 },
    warm: async () => {},
    embed: async () => [],
    tokenStates: async (texts) => {
      made.push([...texts]);
      await wait(made.length);
      return texts.map(stateOf);
    },
    queryStates: async (text) => ({ pieces: [text], states: stateOf(text) }),
    [Symbol.asyncDispose]: async () => {},
  };
  const cache: VectorCache = {
    get: (space, keys) => keys.map((key) => kept.get(space + key)),
    put: (space, entries) => {
      for (const { key, value } of entries) kept.set(space + key, value);
    },
  };
  return { made, kept, model, cache };
}

const options = { signal, pool: ['a boat', 'a lake'] };

describe('maxSimReranker()', () => {
  it('scores by the best token, and makes states of a text once', async () => {
    const { made, model, cache } = setUp();
    const reranker = maxSimReranker(model, cache, { deadlineMs: 60_000 });
    const scores = await reranker.score('boat', ['a boat', 'a lake'], options);
    expect(scores[0]).toBeCloseTo(1, 6);
    expect(scores[1]).toBeCloseTo(0, 6);
    expect(await reranker.score('boat', ['a lake', 'a boat'], options)).toEqual(
      [...scores].reverse(),
    );
    expect(made).toEqual([['a boat', 'a lake']]);
  });

  it('makes states anew of what is kept and damaged', async () => {
    const { made, kept, model, cache } = setUp();
    const reranker = maxSimReranker(model, cache, { deadlineMs: 60_000 });
    const scores = await reranker.score('boat', ['a boat'], options);
    for (const key of kept.keys()) kept.set(key, Uint8Array.of(1, 2, 3));
    expect(await reranker.score('boat', ['a boat'], options)).toEqual(scores);
    expect(made).toHaveLength(2);
  });

  it('leaves out what is not made by the deadline, and keeps what is made later', async () => {
    const late = Promise.withResolvers<void>();
    const { model, kept, cache } = setUp((batch) =>
      batch === 1 ? Promise.resolve() : late.promise,
    );
    const reranker = maxSimReranker(model, cache, { deadlineMs: 50 });
    const texts = ['1 boat', '2', '3', '4', '5 boat', '6'];
    const scores = await reranker.score('boat', texts, options);
    expect(scores.map((score) => score !== undefined)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(kept.size).toBe(4);
    late.resolve();
    await late.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(kept.size).toBe(6);
  });
});

describe('decodeTokenStates()', () => {
  it('gives back what was encoded, and nothing for other bytes', () => {
    const states = {
      dimensions: 3,
      scales: Float32Array.of(0.5, 2),
      values: Int8Array.of(1, -2, 3, 4, 5, -127),
    };
    expect(decodeTokenStates(encodeTokenStates(states))).toEqual(states);
    for (const bytes of [[], [1], [0, 0, 0, 0], [3, 0, 0, 0, 9]]) {
      expect(decodeTokenStates(Uint8Array.from(bytes))).toBeUndefined();
    }
  });
});
