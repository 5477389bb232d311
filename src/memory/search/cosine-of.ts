/**
 * Cosine of two vectors of length 1.
 *
 * @returns undefined where one is missing or says nothing (all zeros)
 */
export function cosineOf(
  left: Float32Array | undefined,
  right: Float32Array | undefined,
): number | undefined {
  if (left === undefined || right === undefined || left.length !== right.length) return undefined;
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < left.length; at += 1) {
    const value = right[at] as number;
    sum += (left[at] as number) * value;
    squares += value * value;
  }
  return squares === 0 ? undefined : sum;
}
