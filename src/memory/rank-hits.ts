import type { MemoryHit, MemoryLayer, MemoryRecord } from '../contracts/memory.ts';

/** A row that matched, with its BM25 score; the larger, the better, 0 is no match. */
export type Candidate = { id: string; record: MemoryRecord; bm25: number };

/** How much a layer counts, and after how long a row of it counts half. */
const layers: Readonly<Record<MemoryLayer, { weight: number; halfLifeMs: number }>> = {
  interact: { weight: 1.2, halfLifeMs: 48 * 3_600_000 },
  insights: { weight: 1.0, halfLifeMs: 30 * 24 * 3_600_000 },
  assets: { weight: 0.8, halfLifeMs: Number.POSITIVE_INFINITY },
};
/** Old is less, never nothing. */
const minDecay = 0.2;

/**
 * score = fused · layer weight · decay, where fused = bm25 / best bm25 and
 * decay = max(0.2, 2^(−age / half-life)). Computed here and stored nowhere.
 *
 * @param candidates of two with one id the first is taken
 * @param nowMs milliseconds since the Unix epoch; a row from the future counts as of now
 * @returns at most `limit`, best first, of equals the newer
 */
export function rankHits(
  candidates: readonly Candidate[],
  options: { nowMs: number; limit: number },
): MemoryHit[] {
  const distinct = new Map<string, Candidate>();
  for (const candidate of candidates) {
    if (candidate.bm25 > 0 && !distinct.has(candidate.id)) distinct.set(candidate.id, candidate);
  }
  const best = Math.max(...Array.from(distinct.values(), ({ bm25 }) => bm25));
  const toHit = ({ id, record, bm25 }: Candidate): MemoryHit => {
    const { context: _indexed, ...shown } = record;
    const { weight, halfLifeMs } = layers[record.layer];
    const ageMs = Math.max(0, options.nowMs - record.ts);
    const fused = bm25 / best;
    const decay = Math.max(minDecay, 2 ** (-ageMs / halfLifeMs));
    const factors = { bm25, fused, layerWeight: weight, decay };
    return { id, score: fused * weight * decay, ...shown, factors };
  };
  return Array.from(distinct.values(), toHit)
    .sort((one, other) => other.score - one.score || other.ts - one.ts)
    .slice(0, options.limit);
}
