import type { Node } from 'acorn';

/** The nodes right below one of a syntax tree. */
export function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each?.type === 'string') yield each;
  }
}
