/**
 * The highest scores, best first; equal ones in their order.
 *
 * @returns at most `limit` positions in `scores`
 */
export function bestWindows(scores: Float64Array, limit: number): number[] {
  const threshold = scores.length > limit ? scores.toSorted()[scores.length - limit]! : -Infinity;
  const above: number[] = [];
  const equal: number[] = [];
  for (const [index, score] of scores.entries()) {
    if (score > threshold) above.push(index);
    else if (score === threshold && equal.length < limit) equal.push(index);
  }
  const best = [...above, ...equal].slice(0, limit);
  return best.sort((one, other) => scores[other]! - scores[one]! || one - other);
}

/**
 * How much a word tells, as in BM25: ln(1 + (N − n + ½) / (n + ½)).
 *
 * @param total all windows
 * @param holding windows that hold the word, one number a word
 */
export function inverseFrequencies(total: number, holding: Uint32Array): Float64Array {
  return Float64Array.from(holding, (n) => Math.log(1 + (total - n + 0.5) / (n + 0.5)));
}
