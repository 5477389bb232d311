import type { MemoryUses } from '../contracts/memory-store.ts';
import { layerPolicies } from './layers.ts';

/** A lower score counts as never used. */
const minScore = 0.05;

/**
 * Brings the scores of used rows up to now: halved with each half-life of their layer. Searches
 * compute their decay themselves; this score is what promotion and pruning look at.
 *
 * @returns rows whose score was brought up to now, and those that are as good as never used
 */
export function decayScores(uses: MemoryUses, nowMs: number): { scored: number; dropped: number } {
  const scores = uses.all().map(({ id, layer, score, scoredMs }) => {
    // a clock that was set back makes nothing younger
    const passedMs = Math.max(0, nowMs - scoredMs);
    return { id, score: score * 2 ** (-passedMs / layerPolicies[layer].halfLifeMs) };
  });
  const worn = scores.filter(({ score }) => score < minScore).map(({ id }) => id);
  const kept = scores.filter(({ score }) => score >= minScore);
  uses.keepScores(kept, nowMs);
  uses.remove(worn);
  return { scored: kept.length, dropped: worn.length };
}
