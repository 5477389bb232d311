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
