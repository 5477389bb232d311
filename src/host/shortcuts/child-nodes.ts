/** The nodes directly below one of a syntax tree, in their order. */
export function childNodes<Node extends { type: string }>(node: Node): Node[] {
  const nodes: Node[] = [];
  // A tree has a hundred thousand nodes: no list is made but the result.
  for (const key in node) {
    const value: unknown = node[key];
    if (Array.isArray(value)) {
      for (const each of value) if (isNode<Node>(each)) nodes.push(each);
    } else if (isNode<Node>(value)) nodes.push(value);
  }
  return nodes;
}

function isNode<Node>(value: unknown): value is Node {
  return typeof (value as { type?: unknown } | null)?.type === 'string';
}
