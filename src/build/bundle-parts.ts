import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Node, parse } from 'acorn';
import {
  type BuildOptions,
  build,
  type Metafile,
  type Plugin,
  type TransformOptions,
  transform,
} from 'esbuild';

/** By the name of the file. */
type Outputs = ReadonlyMap<
  string,
  { entryPoint: string | undefined; exports: readonly string[]; needs: readonly string[] }
>;

/** Module -> file. */
const tableFile = 'files.json';

type Common = BuildOptions & { absWorkingDir: string; outdir: string; metafile: true };

/**
 * Bundles sources into files for `src/cli/parts.cjs`. esbuild gives each set of modules that some
 * entries or some parts share a file of its own, so that a command would load some seventy files one
 * by one. Here all that the program needs at once is one of them: one for what it starts with, and
 * one for each of `parts`. What else is loaded later stays a file of its own.
 *
 * Each file is a script whose value is a function. It gets what the modules in it call and returns
 * them, by name, as functions to be run. Node can keep the code of a script after its functions
 * were called, and not that of an ES module.
 *
 * @param options.entryPoints `main` is what is loaded first; the others get a file in `outdir` that
 *   can be loaded
 * @param options.parts sources that are loaded later, by the names of their files; each file holds
 *   what its source needs beyond those before it
 * @returns which sources are in the bundle, and the names of the files in `chunks`, which end with
 *   the digest of all of them
 */
export async function bundleParts(
  common: Common,
  options: {
    entryPoints: { main: string } & Record<string, string>;
    parts: Readonly<Record<string, string>>;
    plugins: Plugin[];
  },
): Promise<{ metafile: Metafile; files: readonly string[] }> {
  const { entryPoints, plugins } = options;
  const { outputFiles, metafile } = await build({
    ...common,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    write: false,
    plugins,
    entryPoints,
  });
  const outputs = outputsOf(metafile);
  const modules = new Map(
    await Promise.all(
      outputFiles.map(
        async ({ path, text }) => [basename(path), await toModule(text, common)] as const,
      ),
    ),
  );
  const sets = setsOf(outputs, { main: entryPoints.main, ...options.parts });
  const shared = new Set(sets.flatMap(({ names }) => names));
  const alone = [...outputs.keys()]
    .filter((name) => !shared.has(name))
    .map((name) => ({ part: basename(name, '.js'), names: [name] }));
  const made = [...sets, ...alone].map(({ part, names }) => {
    const runs = names.map((name) => `${JSON.stringify(name)}: ${modules.get(name)}`);
    const given = 'require, __later, __dirname, __url';
    return { part, names, text: `(function (${given}) { return {\n${runs.join(',\n')}\n}; })\n` };
  });
  const digest = createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 12);
  const fileOf = (part: string): string => `${part}-${digest}.js`;
  const chunks = join(common.outdir, 'chunks');
  mkdirSync(chunks, { recursive: true });
  for (const { part, text } of made) writeFileSync(join(chunks, fileOf(part)), text);
  const places = made.flatMap(({ part, names }) => names.map((name) => [name, fileOf(part)]));
  writeFileSync(join(chunks, tableFile), `${JSON.stringify(Object.fromEntries(places))}\n`);
  for (const [name, { exports }] of outputs)
    if (entryPoints[name.slice(0, -'.js'.length)] !== undefined && name !== 'main.js')
      writeFileSync(join(common.outdir, facadeName(name)), facadeOf(name, exports, common));
  return { metafile, files: [...made.map(({ part }) => fileOf(part)), tableFile] };
}

function outputsOf(metafile: Metafile): Outputs {
  return new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint, imports, exports }]) => {
      const needs = imports
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map((each) => basename(each.path));
      return [basename(path), { entryPoint, exports, needs }];
    }),
  );
}

/** What each file is made of: what its source needs and no file before it holds. */
function setsOf(
  outputs: Outputs,
  sources: Readonly<Record<string, string>>,
): { part: string; names: string[] }[] {
  const placed = new Set<string>();
  return Object.entries(sources).map(([part, source]) => {
    const names = [...neededBy(madeOf(source, outputs), outputs)].filter(
      (name) => !placed.has(name),
    );
    for (const name of names) placed.add(name);
    return { part, names };
  });
}

function madeOf(source: string, outputs: Outputs): string {
  for (const [name, { entryPoint }] of outputs)
    if (entryPoint === source.replace(/^\.\//, '')) return name;
  throw new Error(`${source} is no part that is loaded by itself`);
}

/** An output and everything that it loads. */
function neededBy(name: string, outputs: Outputs, found = new Set<string>()): Set<string> {
  found.add(name);
  for (const needed of outputs.get(name)?.needs ?? [])
    if (!found.has(needed)) neededBy(needed, outputs, found);
  return found;
}

/** A function that runs a module, as source. */
async function toModule(text: string, common: Common): Promise<string> {
  const { code } = await transform(askLater(text), {
    format: 'cjs',
    target: common.target as NonNullable<TransformOptions['target']>,
    legalComments: 'none',
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__url' },
  });
  // In brackets, which has the engine compile it with the file and not after it.
  return `(function (module) {\n"use strict";\n${code}})`;
}

/** In place of `import()`, which a script does not have. */
function askLater(text: string): string {
  if (text.includes('__later')) throw new Error('a source has the name __later, which is taken');
  const starts: number[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'ImportExpression') starts.push(node.start);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }));
  return starts
    .toSorted((one, other) => other - one)
    .reduce((made, at) => `${made.slice(0, at)}__later${made.slice(at + 'import'.length)}`, text);
}

const facadeName = (name: string): string => `${basename(name, '.js')}.cjs`;

/**
 * Makes a module of the parts loadable, by `require` and by `import`, which finds the names
 * without running it. Any Node can read it: one that is too old for the parts is told so. The
 * comment there keeps Node from printing that line of the file before what it says.
 */
function facadeOf(name: string, exports: readonly string[], { target }: Common): string {
  const needed = Number(/^node(\d+)$/.exec(String(target))?.[1]);
  return `'use strict';
if (parseInt(process.versions.node, 10) < ${needed})
  throw new Error('cuervo needs Node ${needed} or later, and this is ' + process.version + '; install one from https://nodejs.org'); // node-do-not-add-exception-line
var parts = require('./parts.cjs').load('${name}');
${exports.map((each) => `exports.${each} = parts.${each};\n`).join('')}`;
}

/** The nodes right below one of a syntax tree. */
function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each?.type === 'string') yield each;
  }
}

/** Modules of Node that take milliseconds to load and that many commands never call. */
const late =
  /^node:(?:child_process|crypto|dns\/promises|fs\/promises|net|readline|readline\/promises|stream\/promises|timers\/promises|v8|worker_threads|zlib)$/;

/** What `node:util` loads when it is first read, though it looks like a plain value. */
const lazy = new Set(['diff', 'MIMEParams', 'MIMEType', 'parseArgs', 'setTraceSigInt']);

/**
 * Has a bundle load modules of Node without `import`, which reads each of their exports and so loads
 * what stands behind it: `node:fs` alone brings eighteen others. For the late ones a proxy stands for
 * each export, and the module is loaded when one is used.
 */
export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'late', sideEffects: false } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({ contents: standIn(path) }));
  },
};

/** A source with the exports of a module. */
function standIn(path: string): string {
  const module = process.getBuiltinModule(path) as Record<string, unknown>;
  const isLate = (name: string): boolean => late.test(path) || loadsMore(module, name);
  const lines = Object.keys(module).map((name) => {
    const made = isLate(name) ? `late('${name}')` : `(() => load().${name})()`;
    return `export const ${name} = /* @__PURE__ */ ${made};`;
  });
  const all = late.test(path) ? 'new Proxy({}, { get: (_, name) => load()[name] })' : 'load()';
  return `const load = () => process.getBuiltinModule('${path}');
    const late = (name) =>
      new Proxy(function () {}, {
        apply: (_, self, args) => Reflect.apply(load()[name], self, args),
        construct: (_, args) => Reflect.construct(load()[name], args),
        get: (_, key) => load()[name][key],
      });
    export default /* @__PURE__ */ ${all};
    ${lines.join('\n')}`;
}

/** Node loads a class, function or module like `fs.ReadStream` or `fs.promises` when it is first read. */
function loadsMore(module: Record<string, unknown>, name: string): boolean {
  if (lazy.has(name)) return true;
  const { get } = Object.getOwnPropertyDescriptor(module, name) ?? {};
  return get !== undefined && (typeof module[name] === 'function' || name === 'promises');
}
