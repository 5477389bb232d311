import type { MemoryFactors, MemoryLayer } from '../contracts/memory.ts';
import { layerPolicies } from './layers.ts';

/** A row that an arm found, with its true scores; the larger, the better. */
export type Candidate = {
  id: string;
  layer: MemoryLayer;
  /** milliseconds since the Unix epoch */
  ts: number;
  /** 0: no word of the question is in it */
  bm25: number;
  /** absent without a vector */
  cosine?: number;
};

export type Ranked<Found extends Candidate> = Found & { score: number; factors: MemoryFactors };

/** Old is less, never nothing. */
const minDecay = 0.2;

/**
 * score = fused · layer weight · decay, where
 * fused = (1 − α) · bm25 / best bm25 + α · max(0, cosine − floor) / (best cosine − floor), an arm
 * whose best is 0 adds 0, and decay = max(0.2, 2^(−age / half-life)). Computed here and stored nowhere. Weighted
 * scores were measured to be better than ranks (RRF), which lose to words alone when the vectors
 * are weak.
 *
 * @param candidates of two with one id the first is taken
 * @param options.nowMs milliseconds since the Unix epoch; a row from the future counts as of now
 * @param options.alpha share of the cosine, 0 to 1; of no meaning where no candidate has one
 * @param options.cosineFloor cosines up to it count as 0; 0 without it
 * @param options.minCosine a candidate that shares no word is left out below
 * @param options.decay false: age does not count
 * @returns best first, of equals the newer
 */
export function rankCandidates<Found extends Candidate>(
  candidates: readonly Found[],
  options: {
    nowMs: number;
    alpha: number;
    cosineFloor?: number;
    minCosine: number;
    decay?: boolean;
  },
): Ranked<Found>[] {
  const distinct = new Map<string, Found>();
  for (const candidate of candidates) {
    const { id, bm25, cosine = -1 } = candidate;
    const matches = bm25 > 0 || cosine >= options.minCosine;
    if (matches && !distinct.has(id)) distinct.set(id, candidate);
  }
  const found = [...distinct.values()];
  const bestWords = Math.max(0, ...found.map(({ bm25 }) => bm25));
  const { cosineFloor = 0 } = options;
  const above = (cosine = 0): number => Math.max(0, cosine - cosineFloor);
  const bestCosine = Math.max(0, ...found.map(({ cosine }) => above(cosine)));
  const alpha = found.some(({ cosine }) => cosine !== undefined) ? options.alpha : 0;
  const ranked = found.map((candidate): Ranked<Found> => {
    const { layer, ts, bm25, cosine } = candidate;
    const { weight } = layerPolicies[layer];
    const ageMs = options.decay === false ? 0 : Math.max(0, options.nowMs - ts);
    const fused =
      (1 - alpha) * shareOf(bm25, bestWords) + alpha * shareOf(above(cosine), bestCosine);
    const decay = decayOf(layer, ageMs);
    const factors = {
      bm25,
      ...(cosine === undefined ? {} : { cosine }),
      fused,
      layerWeight: weight,
      decay,
    };
    return { ...candidate, score: fused * weight * decay, factors };
  });
  return ranked.sort((one, other) => other.score - one.score || other.ts - one.ts);
}

function shareOf(score: number, best: number): number {
  return best > 0 ? score / best : 0;
}

/** How much a row of this age counts, 0.2 to 1; one from the future as one of now. */
export function decayOf(layer: MemoryLayer, ageMs: number): number {
  return Math.max(minDecay, 2 ** (-Math.max(0, ageMs) / layerPolicies[layer].halfLifeMs));
}
