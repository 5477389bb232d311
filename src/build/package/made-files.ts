import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { pureModules } from '../../../sdk/build/node-modules.ts';

/** Packages that plugins are bundled with, for where no folder `node_modules` has them. */
const libraries = ['valibot', '@valibot/to-json-schema'];

/** The sources of the globals and Node modules of plugins, by their imports. */
const shimImports = [
  ...[...pureModules].map((name) => `@jspm/core/nodelibs/${name}`),
  'core-js-pure/actual/url/index.js',
  'core-js-pure/actual/url-search-params/index.js',
  ...['hmac', 'legacy', 'sha2'].map((name) => `@noble/hashes/${name}.js`),
];

/**
 * Writes the files of `dist` beside the bundles: the libraries of plugins, and the licences of
 * everything in the bundles.
 */
export function writeBesideBundles(root: string, bundles: readonly Metafile[]): void {
  const dist = join(root, 'dist');
  for (const name of libraries) {
    for (const file of ['package.json', 'dist/index.mjs']) copyLibrary(root, join(name, file));
  }
  const shims = filesOfShims(root);
  for (const file of Object.keys(shims.inputs)) {
    const inPackages = relative('node_modules', file);
    if (inPackages.startsWith('..') || file === '<stdin>') continue;
    copyLibrary(root, inPackages);
    const [first = '', second = ''] = inPackages.split(/[\\/]/);
    const owner = first.startsWith('@') ? join(first, second) : first;
    copyLibrary(root, join(owner, 'package.json'));
  }
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), licencesOf(root, [...bundles, shims]));
}

function copyLibrary(root: string, file: string): void {
  const target = join(root, 'dist', 'libraries', file);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, 'node_modules', file), target);
}

function filesOfShims(root: string): Metafile {
  const { metafile } = buildSync({
    stdin: {
      contents: shimImports.map((name) => `import ${JSON.stringify(name)};`).join('\n'),
      resolveDir: root,
    },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    // Packages say that nothing is lost without them; here each file counts.
    ignoreAnnotations: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    logLevel: 'error',
  });
  return metafile;
}

/** Packages that are in the tarball and in no bundle: engines inside of components, copied files. */
const besides = [
  'componentize-qjs',
  'better-sqlite3',
  '@bytecodealliance/jco-transpile',
  'valibot',
  '@valibot/to-json-schema',
];

const packageOf = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * The licences of all code of others that the bundles hold.
 *
 * @param root folder of `node_modules`
 * @param bundles what esbuild says of each, with paths below `root`
 * @throws where a package states no licence
 */
function licencesOf(root: string, bundles: readonly Metafile[]): string {
  const folders = new Map(besides.map((name) => [join('node_modules', name), name]));
  for (const { inputs } of bundles) {
    for (const path of Object.keys(inputs)) {
      const found = packageOf.exec(path);
      if (found !== null) folders.set(found[1] as string, found[2] as string);
    }
  }
  const entries = [...folders].sort(([one], [other]) => (one < other ? -1 : 1));
  const head = 'Software of others that is part of cuervo, with its licences.\n';
  return [head, ...entries.map(([folder]) => sectionOf(join(root, folder)))].join('\n');
}

function sectionOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const files = readdirSync(folder).filter((file) => licenceFile.test(file));
  if (license === undefined && files.length === 0)
    throw new Error(`${name} ${version} states no licence: ${folder}`);
  const texts = files
    .map((file) => join(folder, file))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8').trim());
  const line = '='.repeat(80);
  return [line, `${name} ${version} (${license ?? 'see below'})`, line, '', ...texts, ''].join(
    '\n',
  );
}
