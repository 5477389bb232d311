import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type OnLoadResult, type Plugin } from 'esbuild';

/** By absolute path. */
type Outputs = ReadonlyMap<
  string,
  { entryPoint: string | undefined; exports: readonly string[]; needs: readonly string[] }
>;

/**
 * Bundles entries with parts that are loaded later. esbuild gives each set of modules that some of
 * these parts share a file of its own, so that a command would load some seventy files one by one.
 * Here all that the program needs at once is one of them: one for what it reads its command line
 * with, and one for each of `parts`; the small files stay as names for what is loaded later.
 *
 * @param common of both passes, with `absWorkingDir`, `outdir` and `metafile`
 * @param options.parts sources that are loaded later, by the names of their files; each file holds
 *   what its source needs beyond those before it
 */
export async function bundleMerged(
  common: BuildOptions & { absWorkingDir: string; outdir: string; metafile: true },
  options: {
    entryPoints: { main: string } & Record<string, string>;
    parts: Readonly<Record<string, string>>;
    plugins: Plugin[];
  },
): Promise<Record<'first' | 'merged', { metafile: Metafile }>> {
  const { entryPoints, plugins } = options;
  const chunkNames = 'chunks/[name]-[hash]';
  const split = { ...common, splitting: true, chunkNames, write: false } as const;
  const first = await build({ ...split, plugins, entryPoints });
  const texts = new Map(first.outputFiles.map(({ path, text }) => [path, text]));
  const absolute = (path: string): string => join(common.absWorkingDir, path);
  const outputs: Outputs = new Map(
    Object.entries(first.metafile.outputs).map(([path, { entryPoint, imports, exports }]) => {
      const loaded = imports.filter(
        ({ kind, external }) => kind === 'import-statement' && !external,
      );
      return [
        absolute(path),
        { entryPoint, exports, needs: loaded.map(({ path: needed }) => absolute(needed)) },
      ];
    }),
  );
  const chunks = join(common.outdir, 'chunks');
  const main = madeOf(entryPoints.main, outputs);
  const placed = new Set([main]);
  const rest = (needed: Iterable<string>): string[] => {
    const paths = [...needed].filter((path) => !placed.has(path));
    for (const path of paths) placed.add(path);
    return paths;
  };
  const digest = createHash('sha256')
    .update([...outputs.keys()].join())
    .digest('hex')
    .slice(0, 8);
  const sets = [
    { name: `early-${digest}`, paths: rest(neededBy(main, outputs)) },
    ...Object.entries(options.parts).map(([name, source]) => ({
      name: `${name}-${digest}`,
      paths: rest(neededBy(madeOf(source, outputs), outputs)),
    })),
  ];
  const virtual = new Map(sets.map(({ name, paths }) => [name, exportsOf(paths, outputs)]));
  const merged = await build({
    ...split,
    entryPoints: [
      ...Object.keys(entryPoints).map((name) => ({ in: `${name}.js`, out: name })),
      ...sets.map(({ name }) => ({ in: name, out: `chunks/${name}` })),
    ],
    plugins: [fromMemory(texts, virtual, common.outdir)],
  });
  const names = new Map(
    sets.flatMap(({ name, paths }) => paths.map((path) => [path, namesOf(path, name, outputs)])),
  );
  for (const [path, text] of names) texts.set(path, text);
  const later = [...texts.keys()].filter((path) => !names.has(path) && dirname(path) === chunks);
  const renamed = await build({
    ...common,
    write: false,
    outdir: chunks,
    entryPoints: later,
    plugins: [byMergedNames(texts, names, common.outdir)],
  });
  for (const { path, text } of [...renamed.outputFiles, ...merged.outputFiles])
    texts.set(path, text);
  mkdirSync(chunks, { recursive: true });
  for (const [path, text] of texts) writeFileSync(path, text);
  return { first, merged };
}

function madeOf(source: string, outputs: Outputs): string {
  for (const [path, { entryPoint }] of outputs)
    if (entryPoint === source.replace(/^\.\//, '')) return path;
  throw new Error(`${source} is no part that is loaded by itself`);
}

/** An output and everything that it loads. */
function neededBy(path: string, outputs: Outputs, found = new Set<string>()): Set<string> {
  found.add(path);
  for (const needed of outputs.get(path)?.needs ?? [])
    if (!found.has(needed)) neededBy(needed, outputs, found);
  return found;
}

/** Names of exports in the merged file: two of the small ones may have the same. */
function exportNames(path: string, outputs: Outputs): { name: string; merged: string }[] {
  const prefix = basename(path, '.js').replace(/[^A-Za-z0-9]/g, '_');
  const { exports = [] } = outputs.get(path) ?? {};
  return exports.map((name) => ({ name, merged: `${prefix}_${name}` }));
}

/** A source that loads small files and exports all that they export. */
function exportsOf(paths: readonly string[], outputs: Outputs): string {
  const lines = paths.map((path) => {
    const names = exportNames(path, outputs).map(({ name, merged }) => `${name} as ${merged}`);
    return `export { ${names.join(', ')} } from './${basename(path)}';`;
  });
  return lines.join('\n');
}

/** A small file turns into these: names for the content of the merged file. */
function namesOf(path: string, file: string, outputs: Outputs): string {
  const names = exportNames(path, outputs).map(({ name, merged }) => `${merged} as ${name}`);
  return `export { ${names.join(', ')} } from './${file}.js';\n`;
}

/** Has parts that are loaded later import from the merged files, and not by way of the small ones. */
function byMergedNames(
  texts: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
  outdir: string,
): Plugin {
  return {
    name: 'by-merged-names',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        const file = join(resolveDir, path);
        if (kind === 'entry-point') return { path: relative(outdir, path), namespace: 'made' };
        if (kind === 'dynamic-import' || !names.has(file)) return { path, external: true };
        return { path: relative(outdir, file), namespace: 'made' };
      });
      onLoad({ filter: /.*/, namespace: 'made' }, ({ path }) => madeFile(path, texts, outdir));
    },
  };
}

/**
 * Reads what the first pass made. Parts that are loaded later stay files of their own.
 */
function fromMemory(
  texts: ReadonlyMap<string, string>,
  sources: ReadonlyMap<string, string>,
  outdir: string,
): Plugin {
  return {
    name: 'from-memory',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        if (sources.has(path)) return { path, namespace: 'merged' };
        const file = join(kind === 'entry-point' ? outdir : resolveDir, path);
        if (kind === 'dynamic-import' || !texts.has(file)) return { path, external: true };
        return { path: relative(outdir, file), namespace: 'made' };
      });
      onLoad({ filter: /.*/, namespace: 'merged' }, ({ path }) => ({
        contents: sources.get(path) ?? '',
        resolveDir: join(outdir, 'chunks'),
      }));
      onLoad({ filter: /.*/, namespace: 'made' }, ({ path }) => madeFile(path, texts, outdir));
    },
  };
}

/** @param path from `outdir` on: esbuild writes it into its comments */
function madeFile(path: string, texts: ReadonlyMap<string, string>, outdir: string): OnLoadResult {
  const file = join(outdir, path);
  return { contents: texts.get(file) ?? '', resolveDir: dirname(file) };
}
