/** A memory's or table's declared size, in pages or elements. */
export type Declared = { min: number; max?: number };

/**
 * Shares a total out among memories (or tables), so that the sum of all bounds is at most the
 * total, whichever of them grows.
 *
 * A guest has one memory that holds its heap and one table that holds its functions, recognised by
 * the largest initial size; the others belong to adapters and shims and hardly grow. So each other
 * one gets what it starts with, or `side` when that is more (never above its own maximum), and the
 * main one all that is left. A component that was composed of several has a heap for each: those
 * share what is left.
 *
 * @param shares.heap what starts with so much is a heap, too; without it there is one
 * @returns one bound each, in order
 * @returns a single number instead when they do not fit: what they need to start with
 */
export function splitMemoryLimit(
  all: readonly Declared[],
  { total, side, heap = Number.POSITIVE_INFINITY }: { total: number; side: number; heap?: number },
): number[] | number {
  const main = all.reduce(
    (largest, { min }, index) => (min > (all[largest]?.min ?? 0) ? index : largest),
    0,
  );
  const bounds = all.map(({ min, max }) =>
    Math.min(Math.max(min, side), max ?? Number.POSITIVE_INFINITY),
  );
  const isHeap = ({ min }: Declared, index: number): boolean => index === main || min >= heap;
  const least = all.map((each, index) => (isHeap(each, index) ? each.min : (bounds[index] ?? 0)));
  const needed = least.reduce((sum, pages) => sum + pages, 0);
  if (needed > total) return needed;
  const heaps = all.filter(isHeap).length;
  const share = Math.floor((total - needed) / Math.max(1, heaps));
  const shared = all.map((each, index) => {
    const bound = least[index] ?? 0;
    if (!isHeap(each, index)) return bound;
    return Math.max(bound, Math.min(bound + share, each.max ?? Number.POSITIVE_INFINITY));
  });
  // Room that another's own maximum leaves over, and the indivisible rest.
  const rest = shared.reduce((sum, bound, index) => (index === main ? sum : sum + bound), 0);
  return shared.map((bound, index) => (index === main ? total - rest : bound));
}
