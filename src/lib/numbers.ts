/** Not `Math.max(...values)`, which overflows the stack where there are a hundred thousand. */
export function largest(
  values: Iterable<number>,
  floor: number = Number.NEGATIVE_INFINITY,
): number {
  let most = floor;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** As `largest`, for the smallest. */
export function smallest(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** Twice as long, with the same numbers first. */
export function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** Σ left·right over the shorter of the two. */
export function dotProduct(left: Float32Array, right: Float32Array): number {
  const size = Math.min(left.length, right.length);
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += (left[at] as number) * (right[at] as number);
  return sum;
}

export type MixedScore = {
  /** `(1 − share) · before + share · after`, 0 to 1 */
  mixed: number;
  /** the second one alone, 0 to 1 */
  after: number;
};

/**
 * Two scores of the same things as one, each brought to 0 … 1 over all of them.
 *
 * @param after as long as `before`, of no fixed range
 * @param share weight of `after`, 0 to 1
 */
export function mixScores(
  before: readonly number[],
  after: readonly number[],
  share: number,
): MixedScore[] {
  const [first, second] = [spread(before), spread(after)];
  return first.map((value, at) => ({
    mixed: (1 - share) * value + share * (second[at] ?? 0),
    after: second[at] ?? 0,
  }));
}

/** 0 for the least, 1 for the most; all 0 where they are alike. */
function spread(values: readonly number[]): number[] {
  const least = smallest(values);
  const range = largest(values) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
}
