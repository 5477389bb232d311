import type { MemoryEmbedder } from '../contracts/memory.ts';
import type { SearchPorts } from './search/search-memory.ts';
import { vectorText } from './vector-text.ts';

/** 10 MB of vectors of 256 dimensions. */
const maxKept = 10_000;

/**
 * Makes the vectors of rows that are in no table yet, each once in the life of the process: an id
 * stands for its text.
 */
export function keepVectors(): SearchPorts['pendingVectors'] {
  let kept = new Map<string, Float32Array>();
  let madeBy: MemoryEmbedder | undefined;
  return async (rows, embedder, signal) => {
    if (madeBy !== embedder || kept.size > maxKept) kept = new Map();
    madeBy = embedder;
    const unknown = rows.filter(({ id }) => !kept.has(id));
    if (unknown.length > 0) {
      const texts = unknown.map(({ record }) => vectorText(record));
      const vectors = await embedder.embed(texts, { signal });
      for (const [at, { id }] of unknown.entries()) {
        const vector = vectors[at];
        if (vector !== undefined) kept.set(id, vector);
      }
    }
    return rows.map(({ id }) => kept.get(id) ?? new Float32Array(0));
  };
}
