import { type Node, parse } from 'acorn';
import { applyEdits } from './apply-edits.ts';

/**
 * Glue as a script whose value is its function `instantiate`. A script is compiled at once, where
 * a module goes through the loader, which costs a plugin process some milliseconds of its start.
 *
 * @param module glue as the transpiler makes it, for instantiation when asked
 * @throws {SyntaxError} for what is no such module
 */
export function glueScript(module: string): string {
  const { body } = parse(module, { ecmaVersion: 'latest', sourceType: 'module' });
  const exported = body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' ? (node.declaration ?? []) : [],
  );
  const made = exported.filter((node) => node.type === 'FunctionDeclaration');
  const instantiate = made.find(({ id }) => id.name === 'instantiate');
  if (instantiate === undefined) {
    throw new SyntaxError('the transpiler made no function "instantiate"');
  }
  // It would be what all other code in there compares with.
  if (/\bfunction undefined\(/.test(module)) {
    throw new SyntaxError('a function is called "undefined"; give it another name in the WIT');
  }
  const others = body.filter((node) => !isEmpty(node) && node.type !== 'ExportNamedDeclaration');
  if (others.some(({ type }) => !declarations.includes(type))) {
    throw new SyntaxError('the transpiler made code outside of functions');
  }
  // Modules are strict; lines stay what they are, for the places in an error.
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  if (others.length === 0 && made.length === 1) {
    const before = blank(module.slice(0, instantiate.start));
    return `"use strict";${before}(${module.slice(instantiate.start, instantiate.end)})\n`;
  }
  const edits = body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const { start, end, declaration } = node;
    const to = declaration?.start ?? end;
    return [{ start, end: to, text: blank(module.slice(start, to)) }];
  });
  return `"use strict";(() => {${applyEdits(module, edits)}; return instantiate; })()\n`;
}

const declarations: readonly string[] = [
  ...['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclaration'],
];

function isEmpty(node: Node): boolean {
  return node.type === 'EmptyStatement' || 'directive' in node;
}
