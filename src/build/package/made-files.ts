import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { pureModules } from '../../../sdk/build/node-modules.ts';
import { licencesOf } from './licences.ts';

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
