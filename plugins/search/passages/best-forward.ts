/**
 * The best of several orders of the same things: each puts its best forward in turn, so that none
 * keeps out what only another finds.
 *
 * @returns `count` of them, or all
 */
export function bestForward<Item>(orders: readonly (readonly Item[])[], count: number): Item[] {
  const chosen = new Set<Item>();
  const longest = Math.max(0, ...orders.map(({ length }) => length));
  for (let rank = 0; rank < longest && chosen.size < count; rank += 1) {
    for (const order of orders) {
      const item = order[rank];
      if (item !== undefined && chosen.size < count) chosen.add(item);
    }
  }
  return [...chosen];
}
