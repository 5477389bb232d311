/** Σ left·right over the shorter of the two. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  const size = Math.min(left.length, right.length);
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += (left[at] as number) * (right[at] as number);
  return sum;
}
