import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Node, parse } from 'acorn';
import { type Plugin, transform } from 'esbuild';

/** Sources that read what a person writes: one question meets a hundred of their patterns. */
const reading = /\/src\/(?:router|ask|planner|memory|kernel\/ask)\/.*\.ts$/;

const property = /\\p\{(?:L|Lu|Ll|N|M)\}/;

/** Has patterns with letters of all scripts compile them when a text has some; see `AsciiFirst`. */
export const asciiFirst: Plugin = {
  name: 'ascii-first',
  setup: ({ onLoad }) => {
    onLoad({ filter: reading }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('\\p{')) return undefined;
      const { code } = await transform(source, { loader: 'ts', target: 'node26', charset: 'utf8' });
      const own = join(import.meta.dirname, 'ascii-first-pattern.ts');
      return { contents: `import { AsciiFirst } from ${JSON.stringify(own)};\n${rewrite(code)}` };
    });
  },
};

/** @param code of a module, as JavaScript */
function rewrite(code: string): string {
  const edits: { start: number; end: number; text: string }[] = [];
  const kept: string[] = [];
  const visit = (node: Node, isInFunction: boolean): void => {
    const { start, end } = node;
    if (node.type === 'Literal' && 'regex' in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      const made = `new AsciiFirst(${JSON.stringify(pattern)}, ${JSON.stringify(flags)})`;
      if (!property.test(pattern)) return;
      if (!isInFunction) edits.push({ start, end, text: made });
      // One that is made at each call is made once, unless it remembers where it was.
      else if (!/[gy]/.test(flags))
        edits.push({ start, end, text: `(pattern${kept.push(made)} ??= ${made})` });
    }
    if (node.type === 'NewExpression') {
      const { callee, arguments: given } = node as never as { callee: Node; arguments: Node[] };
      const [, flags] = given;
      const isPattern = code.slice(callee.start, callee.end) === 'RegExp';
      if (isPattern && flags !== undefined && code.slice(flags.start, flags.end).includes('u'))
        edits.push({ start: callee.start, end: callee.end, text: 'AsciiFirst' });
    }
    const isFunction = /Function/.test(node.type);
    for (const child of childrenOf(node)) visit(child, isInFunction || isFunction);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), false);
  const names = kept.map((_, at) => `pattern${at + 1}`);
  const edited = edits
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
      code,
    );
  return names.length === 0 ? edited : `${edited}\nvar ${names.join(', ')};`;
}

function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each?.type === 'string') yield each;
  }
}
