/** The nodes directly below one of a syntax tree, in their order. */
export function childNodes<Node extends { type: string }>(node: Node): Node[] {
  const values: unknown[] = Object.values(node).flat();
  return values.filter(
    (value): value is Node => typeof (value as { type?: unknown } | null)?.type === 'string',
  );
}
