/** What one memory or table declares, in pages or elements. */
export type Declared = { min: number; max?: number };

/**
 * Shares a total out among memories (or tables), so that the sum of all bounds is at most the
 * total, whichever of them grows.
 *
 * A guest has one memory that holds its heap and one table that holds its functions, recognised by
 * the largest initial size; the others belong to adapters and shims and hardly grow. So each other
 * one gets what it starts with, or `side` when that is more (never above its own maximum), and the
 * main one all that is left.
 *
 * @returns one bound each, in order
 * @returns a single number instead when they do not fit: what they need to start with
 */
export function shareOut(
  all: readonly Declared[],
  { total, side }: { total: number; side: number },
): number[] | number {
  const main = all.reduce(
    (largest, { min }, index) => (min > (all[largest]?.min ?? 0) ? index : largest),
    0,
  );
  const bounds = all.map(({ min, max }) =>
    Math.min(Math.max(min, side), max ?? Number.POSITIVE_INFINITY),
  );
  const others = bounds.reduce((sum, bound, index) => (index === main ? sum : sum + bound), 0);
  const needed = others + (all[main]?.min ?? 0);
  if (needed > total) return needed;
  return bounds.map((bound, index) => (index === main ? total - others : bound));
}
