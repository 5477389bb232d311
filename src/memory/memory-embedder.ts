import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VectorCache, VectorModel } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import type { MemoryEmbedder } from '../contracts/memory.ts';
import { textKey } from './texts.ts';

/**
 * Share of the cosine with vectors of single words. Two sets of questions were answered best from
 * .3 to .5.
 */
const alpha = 0.4;
/** Tuned on half of the questions and facts that share no word. */
const perhapsCosine = 0.29;
const sureCosine = 0.5;
/** Conversations gain up to .4 and keep that to .5; above, documents lose as much. */
const rerankShare = 0.45;
/** About 30 ms of work; then other work has its turn. */
const batchTexts = 64;

/** An embedder that works in this process, one text after the other, as memory's port. */
export function memoryEmbedder(embedder: {
  readonly name: string;
  readonly dimensions: number;
  embed(text: string): Float32Array;
}): MemoryEmbedder {
  const { name, dimensions } = embedder;
  return {
    name,
    dimensions,
    alpha,
    cosineFloor: 0,
    perhapsCosine,
    sureCosine,
    rerankShare,
    embed: async (texts, { signal }) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length > 0 && vectors.length % batchTexts === 0) await nextTurn();
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        vectors.push(embedder.embed(text));
      }
      return vectors;
    },
  };
}

/** A second of work or two, after which what is made is kept. */
const keptAtOnce = 64;

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
      for (let at = 0; at < work.length; at += keptAtOnce) {
        const batch = work.slice(at, at + keptAtOnce);
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
