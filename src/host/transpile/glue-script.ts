import { parse } from 'acorn';

/**
 * Glue as a script whose value is its function `instantiate`. A script is compiled at once, where
 * a module goes through the loader, which costs a plugin process some milliseconds of its start.
 *
 * @param module glue as the transpiler makes it, for instantiation when asked
 * @throws {SyntaxError} for what is no such module
 */
export function glueScript(module: string): string {
  const { body } = parse(module, { ecmaVersion: 'latest', sourceType: 'module' });
  const made = body
    .map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : undefined))
    .filter((node) => node?.type === 'FunctionDeclaration');
  const [instantiate] = made;
  if (made.length !== 1 || instantiate?.id?.name !== 'instantiate') {
    throw new SyntaxError('the transpiler made no function "instantiate"');
  }
  const harmless = ['ExportNamedDeclaration', 'EmptyStatement'];
  const others = body.filter((node) => !harmless.includes(node.type) && !('directive' in node));
  if (others.length > 0) throw new SyntaxError('the transpiler made more than one function');
  // Modules are strict; lines stay what they are, for the places in an error.
  const before = module.slice(0, instantiate.start).replace(/[^\n]/g, ' ');
  return `"use strict";${before}(${module.slice(instantiate.start, instantiate.end)})\n`;
}
