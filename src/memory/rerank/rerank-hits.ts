import { KernelError } from '../../contracts/error.ts';
import type { MemoryHit, MemoryReranker } from '../../contracts/memory.ts';

/** A hit, and the text that a reranker reads of it; undefined: it keeps its place. */
export type Rerankable = { hit: MemoryHit; text: string | undefined };

/**
 * The first hits once more, by `(1 − share) · score + share · rerank`, both brought to 0 … 1 over
 * those that were reranked. A hit that was not, for its kind or for want of time, keeps its place.
 * Scores are those of the old order, spread by the new one, so that they still fall from the first
 * hit to the last; `factors.rerank` is the reranker's, 0 to 1.
 *
 * @param ranked best first
 */
export async function rerankHits(
  ranked: readonly Rerankable[],
  reranker: MemoryReranker,
  options: {
    question: string;
    pool: readonly string[];
    /** weight of the reranker, 0 to 1 */
    share: number;
    signal: AbortSignal;
  },
): Promise<MemoryHit[]> {
  const hits = ranked.map(({ hit }) => hit);
  const places = ranked
    .slice(0, reranker.candidates)
    .flatMap(({ text }, place) => (text === undefined ? [] : [{ place, text }]));
  if (places.length < 2) return hits;
  const scores = await reranker.score(
    options.question,
    places.map(({ text }) => text),
    options,
  );
  if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
  const scored = places.flatMap(({ place }, at) => {
    const rerank = scores[at];
    const hit = hits[place];
    return rerank === undefined || hit === undefined ? [] : [{ place, hit, rerank }];
  });
  return mixed(hits, scored, options.share);
}

function mixed(
  hits: MemoryHit[],
  scored: readonly { place: number; hit: MemoryHit; rerank: number }[],
  share: number,
): MemoryHit[] {
  const worst = scored.at(-1)?.hit.score ?? 0;
  const best = scored[0]?.hit.score ?? 0;
  const fused = spread(scored.map(({ hit }) => hit.score));
  const rerank = spread(scored.map((one) => one.rerank));
  const again = scored
    .map(({ hit }, at) => {
      const mix = (1 - share) * (fused[at] ?? 0) + share * (rerank[at] ?? 0);
      const score = worst + (best - worst) * mix;
      return { ...hit, score, factors: { ...hit.factors, rerank: rerank[at] ?? 0 } };
    })
    .sort((one, other) => other.score - one.score);
  const placed = [...hits];
  for (const [at, { place }] of scored.entries()) placed[place] = again[at] as MemoryHit;
  return placed;
}

/** 0 for the least, 1 for the most; all 0 where they are alike. */
function spread(values: readonly number[]): number[] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
}
