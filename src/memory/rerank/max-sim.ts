import type { TokenStates } from '../../contracts/sentence-model.ts';

/**
 * Late interaction: for each token of the question the best cosine among the text's tokens, and of
 * these the mean, each weighted by how rare its token is.
 *
 * @param weights one for each token of the question, not all 0
 * @returns −1 to 1; 0 where one of the two has no token
 */
export function maxSim(
  question: TokenStates,
  weights: readonly number[],
  text: TokenStates,
): number {
  const { dimensions } = question;
  const rows = text.scales.length;
  if (rows === 0 || text.dimensions !== dimensions) return 0;
  let sum = 0;
  let total = 0;
  for (const [token, weight] of weights.entries()) {
    if (weight <= 0) continue;
    let best = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < rows; row += 1) {
      const product = dot(
        question.values,
        token * dimensions,
        text.values,
        row * dimensions,
        dimensions,
      );
      const cosine = product * (text.scales[row] as number);
      if (cosine > best) best = cosine;
    }
    sum += weight * best * (question.scales[token] ?? 0);
    total += weight;
  }
  return total === 0 ? 0 : sum / total;
}

function dot(one: Int8Array, from: number, other: Int8Array, at: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i += 1) {
    sum += (one[from + i] as number) * (other[at + i] as number);
  }
  return sum;
}
