import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Node, parse } from 'acorn';
import { type Plugin, transform } from 'esbuild';
import { asciiSource } from './ascii-first-pattern.ts';
import { childrenOf } from './children-of.ts';

/** Sources that read what a person writes: one question meets a hundred of their patterns. */
const reading = /\/src\/(?:router|ask|planner|memory|kernel\/ask)\/.*\.ts$/;

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
    const written = writtenPattern(node);
    if (written !== undefined) {
      const { pattern, flags } = written;
      if (asciiSource(pattern) === pattern) return;
      const made = `new AsciiFirst(${JSON.stringify(pattern)}, ${JSON.stringify(flags)})`;
      if (!isInFunction) edits.push({ start, end, text: made });
      // One that is made at each call is made once, unless it remembers where it was.
      else if (!/[gy]/.test(flags))
        edits.push({ start, end, text: `(asciiFirst${kept.push(made)} ??= ${made})` });
      return;
    }
    const { callee, flags = '' } = madePattern(node) ?? {};
    if (callee !== undefined && flags.includes('u'))
      edits.push({ start: callee.start, end: callee.end, text: 'AsciiFirst' });
    const isFunction = /Function/.test(node.type);
    for (const child of childrenOf(node)) visit(child, isInFunction || isFunction);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), false);
  const names = kept.map((_, at) => `asciiFirst${at + 1}`);
  const edited = edits
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
      code,
    );
  return names.length === 0 ? edited : `${edited}\nvar ${names.join(', ')};`;
}

/** A pattern that stands there whole, as a literal or in quotes. */
function writtenPattern(node: Node): { pattern: string; flags: string } | undefined {
  if (node.type === 'Literal' && 'regex' in node) return node.regex as never;
  const { source, flags } = madePattern(node) ?? {};
  return typeof source === 'string' && flags !== undefined ? { pattern: source, flags } : undefined;
}

/** `new RegExp(…)`; what is not in quotes there is undefined. */
function madePattern(node: Node): { callee: Node; source?: string; flags?: string } | undefined {
  if (node.type !== 'NewExpression') return undefined;
  const { callee, arguments: given } = node as never as {
    callee: Node & { name?: string };
    arguments: { value?: string }[];
  };
  const [source, flags] = given.map(({ value }) => value);
  if (callee.name !== 'RegExp') return undefined;
  return { callee, ...(source !== undefined && { source }), ...(flags !== undefined && { flags }) };
}
