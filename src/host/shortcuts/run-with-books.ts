import type { AnyNode, CallExpression } from 'acorn';

/** The work of `_withGlobalCurrentTaskMeta({ …, fn: () => … })`: an expression or a block. */
export function runWithBooks({
  callee,
  arguments: [options],
}: CallExpression): AnyNode | undefined {
  if (!isNamed(callee, '_withGlobalCurrentTaskMeta') || options?.type !== 'ObjectExpression') {
    return undefined;
  }
  const fn = options.properties.find(
    (each) => each.type === 'Property' && isNamed(each.key, 'fn') && !each.computed,
  );
  const made = fn?.type === 'Property' ? fn.value : undefined;
  return made?.type === 'ArrowFunctionExpression' && !made.async && made.params.length === 0
    ? made.body
    : undefined;
}

export function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}
