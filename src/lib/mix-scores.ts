import { largest, smallest } from './largest.ts';

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
