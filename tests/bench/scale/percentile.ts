/** @param share 0 to 1; 0.5 is the median */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('a percentile of no values');
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
