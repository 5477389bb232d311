import type { MemoryHit, MemoryRow } from '../contracts/memory.ts';
import { layerPolicies } from './layers.ts';

/** A row that an arm found, with its true scores; the larger, the better. */
export type Candidate = MemoryRow & {
  /** 0: no word of the question is in it */
  bm25: number;
  /** absent without a vector */
  cosine?: number;
};

/** Old is less, never nothing. */
const minDecay = 0.2;

/**
 * score = fused · layer weight · decay, where
 * fused = (1 − α) · bm25 / best bm25 + α · max(0, cosine) / best cosine, an arm whose best is 0
 * adds 0, and decay = max(0.2, 2^(−age / half-life)). Computed here and stored nowhere. Weighted
 * scores were measured to be better than ranks (RRF), which lose to words alone when the vectors
 * are weak.
 *
 * @param candidates of two with one id the first is taken; of two with the same words in the same
 *   project and of the same kind, in whichever layers, the better
 * @param options.nowMs milliseconds since the Unix epoch; a row from the future counts as of now
 * @param options.alpha share of the cosine, 0 to 1; of no meaning where no candidate has one
 * @param options.minCosine a candidate that shares no word is left out below
 * @param options.decay false: age does not count
 * @returns at most `limit`, best first, of equals the newer
 */
export function rankHits(
  candidates: readonly Candidate[],
  options: { nowMs: number; limit: number; alpha: number; minCosine: number; decay?: boolean },
): MemoryHit[] {
  const distinct = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { id, bm25, cosine = -1 } = candidate;
    const matches = bm25 > 0 || cosine >= options.minCosine;
    if (matches && !distinct.has(id)) distinct.set(id, candidate);
  }
  const found = [...distinct.values()];
  const bestWords = Math.max(0, ...found.map(({ bm25 }) => bm25));
  const bestCosine = Math.max(0, ...found.map(({ cosine = 0 }) => cosine));
  const alpha = found.some(({ cosine }) => cosine !== undefined) ? options.alpha : 0;
  const toHit = ({ id, record, bm25, cosine }: Candidate): MemoryHit => {
    const { context: _indexed, ...shown } = record;
    const { weight, halfLifeMs } = layerPolicies[record.layer];
    const ageMs = options.decay === false ? 0 : Math.max(0, options.nowMs - record.ts);
    const fused =
      (1 - alpha) * shareOf(bm25, bestWords) +
      alpha * shareOf(Math.max(0, cosine ?? 0), bestCosine);
    const decay = Math.max(minDecay, 2 ** (-ageMs / halfLifeMs));
    const factors = {
      bm25,
      ...(cosine === undefined ? {} : { cosine }),
      fused,
      layerWeight: weight,
      decay,
    };
    return { id, score: fused * weight * decay, ...shown, factors };
  };
  const ranked = found
    .map(toHit)
    .sort((one, other) => other.score - one.score || other.ts - one.ts);
  return withoutRepeats(ranked).slice(0, options.limit);
}

function shareOf(score: number, best: number): number {
  return best > 0 ? score / best : 0;
}

/** What was promoted stands in two layers, and is said once. */
function withoutRepeats(hits: readonly MemoryHit[]): MemoryHit[] {
  const said = new Set<string>();
  return hits.filter(({ project, kind, source, text }) => {
    const words = JSON.stringify([project, kind, source, text]);
    if (said.has(words)) return false;
    said.add(words);
    return true;
  });
}
