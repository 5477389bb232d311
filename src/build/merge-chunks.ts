import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** By absolute path. */
type Outputs = ReadonlyMap<
  string,
  { entryPoint: string | undefined; exports: readonly string[]; needs: readonly string[] }
>;

type Common = BuildOptions & { absWorkingDir: string; outdir: string; metafile: true };

/**
 * Bundles entries with parts that are loaded later. esbuild gives each set of modules that some of
 * these parts share a file of its own, so that a command would load some seventy files one by one.
 * Here all that the program needs at once is one of them: one for what it reads its command line
 * with, and one for each of `parts`; a small file stays, as names, where it is loaded later.
 *
 * @param common of all passes
 * @param options.parts sources that are loaded later, by the names of their files; each file holds
 *   what its source needs beyond those before it
 * @returns `first` tells which sources are in the bundle, all of them which files were written
 */
export async function bundleMerged(
  common: Common,
  options: {
    entryPoints: { main: string } & Record<string, string>;
    parts: Readonly<Record<string, string>>;
    plugins: Plugin[];
  },
): Promise<{ first: { metafile: Metafile }; merged: readonly { metafile: Metafile }[] }> {
  const { entryPoints, plugins } = options;
  const chunkNames = 'chunks/[name]-[hash]';
  const split = { ...common, splitting: true, chunkNames, write: false } as const;
  const first = await build({ ...split, plugins, entryPoints });
  const { outputs, loadedLater } = outputsOf(first.metafile, common.absWorkingDir);
  const chunks = join(common.outdir, 'chunks');
  const sets = setsOf(outputs, entryPoints.main, options.parts).map(({ name, paths }) => ({
    file: join(chunks, `${name}.js`),
    paths,
  }));
  const texts = new Map([
    ...first.outputFiles.map(({ path, text }) => [path, text] as const),
    ...sets.map(({ file, paths }) => [file, exportsOf(paths, outputs)] as const),
  ]);
  const names = new Map(
    sets.flatMap(({ file, paths }) => paths.map((path) => [path, namesOf(path, file, outputs)])),
  );
  const remake = (folder: string, files: readonly string[], own = new Set<string>()) => {
    const textOf = (file: string): string | undefined =>
      (own.has(file) ? undefined : names.get(file)) ?? texts.get(file);
    const isPart = (file: string): boolean => names.has(file);
    return build({
      ...{ ...common, write: false, outdir: folder, entryPoints: [...files] },
      plugins: [fromTexts(common.outdir, folder, { isPart, textOf })],
    });
  };
  const left = [...outputs.keys()].filter((path) => !names.has(path));
  const merged = await Promise.all([
    ...sets.map(({ file, paths }) => remake(chunks, [file], new Set(paths))),
    ...[common.outdir, chunks].map((folder) =>
      remake(
        folder,
        left.filter((path) => dirname(path) === folder),
      ),
    ),
  ]);
  mkdirSync(chunks, { recursive: true });
  for (const [path, text] of names) if (loadedLater.has(path)) writeFileSync(path, text);
  for (const { path, text } of merged.flatMap(({ outputFiles }) => outputFiles))
    writeFileSync(path, text);
  return { first, merged };
}

function outputsOf(
  metafile: Metafile,
  root: string,
): { outputs: Outputs; loadedLater: ReadonlySet<string> } {
  const loadedLater = new Set<string>();
  const outputs = Object.entries(metafile.outputs).map(
    ([path, { entryPoint, imports, exports }]) => {
      const own = imports.filter(({ external }) => !external);
      const loaded = (kind: string): string[] =>
        own.filter((each) => each.kind === kind).map(({ path: needed }) => join(root, needed));
      for (const needed of loaded('dynamic-import')) loadedLater.add(needed);
      return [
        join(root, path),
        { entryPoint, exports, needs: loaded('import-statement') },
      ] as const;
    },
  );
  return { outputs: new Map(outputs), loadedLater };
}

/** What each file is made of: what its source needs and no file before it holds. */
function setsOf(
  outputs: Outputs,
  mainSource: string,
  parts: Readonly<Record<string, string>>,
): { name: string; paths: string[] }[] {
  const main = madeOf(mainSource, outputs);
  const placed = new Set([main]);
  const rest = (path: string): string[] => {
    const paths = [...neededBy(path, outputs)].filter((each) => !placed.has(each));
    for (const each of paths) placed.add(each);
    return paths;
  };
  const digest = createHash('sha256')
    .update([...outputs.keys()].join())
    .digest('hex')
    .slice(0, 8);
  return [
    { name: `early-${digest}`, paths: rest(main) },
    ...Object.entries(parts).map(([name, source]) => ({
      name: `${name}-${digest}`,
      paths: rest(madeOf(source, outputs)),
    })),
  ];
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
  return `export { ${names.join(', ')} } from './${basename(file)}';\n`;
}

/**
 * Bundles what the first pass made, by absolute paths. A part becomes one with the file that imports
 * it, and the rest is loaded as a file of its own, as is all that is loaded later.
 *
 * @param folder of what is written
 */
function fromTexts(
  outdir: string,
  folder: string,
  {
    isPart,
    textOf,
  }: { isPart: (file: string) => boolean; textOf: (file: string) => string | undefined },
): Plugin {
  return {
    name: 'from-texts',
    setup: ({ onResolve, onLoad }) => {
      // Paths from `outdir` on: esbuild writes them into its comments.
      const made = (file: string) => ({ path: relative(outdir, file), namespace: 'made' });
      onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        if (kind === 'entry-point') return made(path);
        if (!path.startsWith('.')) return { path, external: true };
        const file = join(resolveDir, path);
        if (kind !== 'dynamic-import' && isPart(file)) return made(file);
        return { path: `./${relative(folder, file)}`, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'made' }, ({ path }) => {
        const file = resolve(outdir, path);
        return { contents: textOf(file) ?? '', resolveDir: dirname(file) };
      });
    },
  };
}
