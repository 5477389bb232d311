import { setImmediate as nextTurn } from 'node:timers/promises';
import { KernelError } from '../contracts/error.ts';
import type { MemoryEmbedder } from '../contracts/memory.ts';

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
