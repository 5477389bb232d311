/** A node of a graph with the ids of those it waits for. */
type Node = { id: string; needs: readonly string[] };

/**
 * Nodes by how many others must end before them at the longest: a column of a drawing each. A need
 * that is not among the nodes, or would be a cycle, counts for nothing.
 */
export function planLevels<Each extends Node>(nodes: readonly Each[]): Each[][] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const levels = new Map<string, number>();
  const levelOf = (node: Each, path: readonly string[]): number => {
    const known = levels.get(node.id);
    if (known !== undefined) return known;
    const above = node.needs.flatMap((id) => {
      const need = byId.get(id);
      return need === undefined || path.includes(id) ? [] : [levelOf(need, [...path, node.id])];
    });
    const level = above.length === 0 ? 0 : Math.max(...above) + 1;
    levels.set(node.id, level);
    return level;
  };
  const columns: Each[][] = [];
  for (const node of nodes) {
    const level = levelOf(node, [node.id]);
    while (columns.length <= level) columns.push([]);
    columns[level]?.push(node);
  }
  return columns.filter((column) => column.length > 0);
}
