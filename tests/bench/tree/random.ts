import { seededRandom } from '../../support/seeded-random.ts';

/** Numbers from a seed, the same on every machine (mulberry32). */
export type Random = {
  /** 0 ≤ x < 1 */
  next(): number;
  /** an integer, 0 ≤ x < bound */
  below(bound: number): number;
  pick<Value>(values: readonly Value[]): Value;
};

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const below = (bound: number): number => Math.floor(next() * bound);
  return { next, below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}
