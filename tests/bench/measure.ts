/** Middle value; the mean of both in the middle of an even number. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('a median of no values');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Wall time of one run in milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await run();
  return performance.now() - startedMs;
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** One side of a comparison: does its work once and says how many milliseconds that took. */
export type Side = () => Promise<number>;

/**
 * Runs all sides in turn, A B C A B C, so that a drift of the machine hits all of them; the first
 * `warmUps` rounds are not counted.
 *
 * @returns their medians in milliseconds, or what `of` makes of the times of each
 */
export async function interleaveAll<Figure = number>(
  options: { runs: number; warmUps: number; of?: (values: readonly number[]) => Figure },
  sides: readonly Side[],
): Promise<Figure[]> {
  const samples = sides.map((): number[] => []);
  for (let round = -options.warmUps; round < options.runs; round += 1) {
    for (const [index, side] of sides.entries()) {
      const ms = await side();
      if (round >= 0) samples[index]?.push(ms);
    }
  }
  return samples.map(options.of ?? (median as (values: readonly number[]) => Figure));
}

/** As `interleaveAll`; the median of an absent side is undefined. */
export async function interleave(
  options: { runs: number; warmUps: number },
  a: Side,
  b: Side | undefined,
): Promise<{ a: number; b: number | undefined }> {
  const [ofA, ofB] = await interleaveAll(options, b === undefined ? [a] : [a, b]);
  return { a: ofA as number, b: ofB };
}
