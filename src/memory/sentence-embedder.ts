import type { VectorCache, VectorModel } from '../contracts/embedder.ts';
import type { MemoryEmbedder } from '../contracts/memory.ts';
import { textKey } from './texts.ts';

/** A second of work or two, after which what is made is kept. */
const batchTexts = 64;

/**
 * A sentence model as memory's embedder. Vectors of texts are kept by a hash of the text, so that
 * work that was interrupted goes on where it stopped; those of questions are not.
 */
export function sentenceEmbedder(model: VectorModel, cache: VectorCache): MemoryEmbedder {
  const { name, dimensions, use } = model;
  const space = `vector ${name}`;
  const kept = (keys: readonly string[]): (Float32Array | undefined)[] =>
    cache.get(space, keys).map((bytes) =>
      // another length means that somebody changed the model's files
      bytes?.length === dimensions * 4 ? floatsOf(bytes) : undefined,
    );
  return {
    name,
    dimensions,
    ...use,
    kept: (texts) => kept(texts.map(textKey)),
    embed: async (texts, { signal, isQuery = false }) => {
      if (isQuery) return await model.embed(texts, { signal, isQuery });
      const keys = texts.map(textKey);
      const made = new Map<string, Float32Array>();
      for (const [at, vector] of kept(keys).entries()) {
        if (vector !== undefined) made.set(keys[at] ?? '', vector);
      }
      const missing = new Map<string, string>();
      for (const [at, text] of texts.entries()) {
        const key = keys[at] ?? '';
        if (!made.has(key)) missing.set(key, text);
      }
      const work = [...missing];
      for (let at = 0; at < work.length; at += batchTexts) {
        const batch = work.slice(at, at + batchTexts);
        const vectors = await model.embed(
          batch.map(([, text]) => text),
          { signal },
        );
        const entries = batch.map(([key], place) => ({
          key,
          vector: vectors[place] ?? new Float32Array(0),
        }));
        cache.put(
          space,
          entries.map(({ key, vector }) => ({ key, value: bytesOf(vector) })),
        );
        for (const { key, vector } of entries) made.set(key, vector);
      }
      return keys.map((key) => made.get(key) ?? new Float32Array(0));
    },
  };
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
