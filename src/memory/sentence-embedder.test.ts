import { describe, expect, it } from 'vitest';
import type { VectorCache, VectorModel } from '../contracts/embedder.ts';
import { sentenceEmbedder } from './memory-embedder.ts';

const { signal } = new AbortController();

function setUp(failAfter = Number.POSITIVE_INFINITY) {
  const made: string[] = [];
  const kept = new Map<string, Uint8Array>();
  const state = { failAfter };
  const model: VectorModel = {
    name: 'lengths',
    dimensions: 2,
    use: { alpha: 0.5, cosineFloor: 0, perhapsCosine: 0.3, sureCosine: 0.5, rerankShare: 0.4 },
    embed: async (texts) => {
      if (made.length >= state.failAfter) throw new Error('interrupted');
      made.push(...texts);
      return texts.map((text) => Float32Array.of(text.length, 1));
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const cache: VectorCache = {
    get: (space, keys) => keys.map((key) => kept.get(space + key)),
    put: (space, entries) => {
      for (const { key, value } of entries) kept.set(space + key, value);
    },
  };
  return { made, kept, state, embedder: sentenceEmbedder(model, cache) };
}

describe('sentenceEmbedder()', () => {
  it('makes each text once and gives vectors in the order of the texts', async () => {
    const { made, embedder } = setUp();
    const texts = ['aa', 'b', 'aa', 'cccc'];
    const vectors = await embedder.embed(texts, { signal });
    expect(vectors.map(([length]) => length)).toEqual([2, 1, 2, 4]);
    expect((await embedder.embed(['cccc', 'b'], { signal })).map(([length]) => length)).toEqual([
      4, 1,
    ]);
    expect(made).toEqual(['aa', 'b', 'cccc']);
  });

  it('goes on where an interruption stopped it', async () => {
    const { made, state, embedder } = setUp(100);
    const texts = Array.from({ length: 300 }, (_, at) => `text ${at}`);
    await expect(embedder.embed(texts, { signal })).rejects.toThrow('interrupted');
    const before = made.length;
    expect(before).toBeGreaterThanOrEqual(100);
    state.failAfter = Number.POSITIVE_INFINITY;
    expect(await embedder.embed(texts, { signal })).toHaveLength(300);
    expect(made).toEqual(texts);
    expect(before).toBeLessThan(300);
  });

  it('keeps nothing of questions', async () => {
    const { made, kept, embedder } = setUp();
    await embedder.embed(['who?'], { signal, isQuery: true });
    await embedder.embed(['who?'], { signal, isQuery: true });
    expect(made).toEqual(['who?', 'who?']);
    expect(kept.size).toBe(0);
  });

  it('makes a vector anew whose kept bytes are of another length', async () => {
    const { made, kept, embedder } = setUp();
    await embedder.embed(['aa'], { signal });
    for (const key of kept.keys()) kept.set(key, Uint8Array.of(1, 2, 3));
    expect((await embedder.embed(['aa'], { signal }))[0]?.[0]).toBe(2);
    expect(made).toEqual(['aa', 'aa']);
  });
});
