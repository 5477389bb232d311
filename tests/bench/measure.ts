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
 * Runs both sides in turn, A B A B, so that a drift of the machine hits both; the first
 * `warmUps` rounds are not counted.
 *
 * @returns medians in milliseconds; that of an absent side is undefined
 */
export async function interleave(
  options: { runs: number; warmUps: number },
  a: Side,
  b: Side | undefined,
): Promise<{ a: number; b: number | undefined }> {
  const samples = { a: [] as number[], b: [] as number[] };
  for (let round = -options.warmUps; round < options.runs; round += 1) {
    const aMs = await a();
    const bMs = await b?.();
    if (round < 0) continue;
    samples.a.push(aMs);
    if (bMs !== undefined) samples.b.push(bMs);
  }
  return { a: median(samples.a), b: b === undefined ? undefined : median(samples.b) };
}
