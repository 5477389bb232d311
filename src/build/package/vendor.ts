import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** Packages with native code, by the file of `dist/vendor` that holds their JavaScript. */
const vendored: Readonly<Record<string, string>> = {
  '@lancedb/lancedb': 'lancedb.cjs',
  '@napi-rs/keyring': 'keyring.cjs',
  'apache-arrow': 'arrow.cjs',
  'better-sqlite3': 'sqlite/lib/index.cjs',
  // The library takes its native code for tested only in a file of this name.
  'node-llama-cpp': 'llama/dist/bin/testBindingBinary.js',
};

/** The files of npm, CommonJS that every Node since 20 reads: it brings a newer Node. */
const ofNpm: Readonly<Record<string, string>> = {
  '@npmcli/config': 'npm/config.cjs',
  '@npmcli/config/lib/definitions/index.js': 'npm/definitions.cjs',
  'npm-registry-fetch': 'npm/fetch.cjs',
  tar: 'npm/tar.cjs',
};

/** The packages that fetch and verify plugins, CommonJS in one file. */
const ofSources: Readonly<Record<string, string>> = {
  '@sigstore/bundle': 'sources.cjs',
  '@sigstore/protobuf-specs': 'sources.cjs',
  '@sigstore/verify': 'sources.cjs',
  'tuf-js': 'sources.cjs',
  'tuf-js/dist/error.js': 'sources.cjs',
};

/** What `dist/package.json` says: how the bundles name those files from any folder. */
export const bundleManifest = {
  type: 'module',
  imports: { '#vendor/*': './vendor/*', '#arrow': './vendor/arrow.cjs' },
};

/** Has a bundle load these packages from `dist/vendor`. */
export const useVendored: Plugin = {
  name: 'vendored',
  setup: ({ onResolve }) => {
    for (const [name, file] of Object.entries({ ...vendored, ...ofNpm, ...ofSources })) {
      const path = `#vendor/${file}`;
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true }));
    }
  },
};

/** Some of its packages are CommonJS and require modules of Node. */
const requireBanner = {
  js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
};

/**
 * Bundles the JavaScript of packages with native code, so that what else they bring is not installed.
 * Their native code lies in packages of its own, one for each system; that of SQLite comes along.
 *
 * @returns what went into them
 */
export async function bundleVendored({
  outdir: dist = '',
  ...common
}: BuildOptions): Promise<Metafile[]> {
  const out = join(dist, 'vendor');
  const modules = join(common.absWorkingDir as string, 'node_modules');
  const commonJs = (contents: string, file: string, more: BuildOptions = {}) =>
    build({
      ...common,
      format: 'cjs',
      stdin: { contents, resolveDir: modules },
      outfile: join(out, file),
      ...more,
    });
  const results = await Promise.all([
    commonJs("module.exports = require('apache-arrow');", 'arrow.cjs'),
    commonJs(
      "export { connect, Index, makeArrowTable, Session } from '@lancedb/lancedb';",
      'lancedb.cjs',
      {
        external: ['@lancedb/lancedb-*', '*.node', '@huggingface/transformers', 'openai'],
        plugins: [oneArrow],
      },
    ),
    commonJs("export { AsyncEntry } from '@napi-rs/keyring';", 'keyring.cjs', {
      external: ['@napi-rs/keyring-*', '*.node'],
    }),
    commonJs("module.exports = require('better-sqlite3');", 'sqlite/lib/index.cjs'),
    commonJs(
      `export { bundleFromJSON } from '@sigstore/bundle';
       export { TrustedRoot } from '@sigstore/protobuf-specs';
       export { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify';
       export { BaseFetcher, Updater } from 'tuf-js';
       export { DownloadHTTPError } from 'tuf-js/dist/error.js';`,
      'sources.cjs',
    ),
    ...Object.entries(ofNpm).map(([name, file]) => {
      const names = name === 'tar' ? "export { extract, list } from 'tar';" : undefined;
      return commonJs(names ?? `module.exports = require('${name}');`, file, { target: 'node20' });
    }),
    build({
      ...common,
      format: 'esm',
      banner: requireBanner,
      stdin: {
        contents:
          "export { getLlama, LlamaChat, LlamaGrammarEvaluationState, LlamaText } from 'node-llama-cpp';",
        resolveDir: modules,
      },
      outfile: join(out, vendored['node-llama-cpp'] as string),
      external: ['electron', '@reflink/reflink'],
      plugins: [givenLlama],
    }),
  ]);
  replaceNative(join(modules, 'better-sqlite3/prebuilds'), join(out, 'sqlite/prebuilds'));
  keepPlacesOfLlama(join(modules, 'node-llama-cpp'), join(out, 'llama'));
  return results.map(({ metafile }) => metafile as Metafile);
}

/** Processes that run have these libraries mapped, and would crash if they were written over. */
function replaceNative(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (existsSync(target) && readFileSync(target).equals(readFileSync(source))) continue;
    copyFileSync(source, `${target}.next`);
    renameSync(`${target}.next`, target);
  }
}

/** LanceDB and cuervo make tables of the same classes. */
const oneArrow: Plugin = {
  name: 'one-arrow',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^apache-arrow$/ }, () => ({ path: './arrow.cjs', external: true }));
  },
};

/** The process is told where its native code is, since it sees no other folder. */
const givenLlama: Plugin = {
  name: 'given-llama',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^@node-llama-cpp\// }, ({ path }) => ({ path, namespace: 'native' }));
    onLoad({ filter: /.*/, namespace: 'native' }, ({ path }) => ({
      contents: `
        import { readFileSync } from 'node:fs';
        export function getBinsDir() {
          const folder = process.argv[2] ?? '';
          const { name, version } = JSON.parse(readFileSync(folder + '/package.json', 'utf8'));
          if (name !== '${path}') throw new Error(name + ' is not ${path}');
          return { binsDir: folder + '/bins', packageVersion: version };
        }`,
    }));
  },
};

/** The library reads its version and that of llama.cpp from files beside its JavaScript. */
function keepPlacesOfLlama(from: string, to: string): void {
  const { name, version, license } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const manifest = { name, version, license, type: 'module' };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest)}\n`);
  mkdirSync(join(to, 'dist/llama'), { recursive: true });
  for (const file of readdirSync(join(from, 'llama')).filter((each) => each.endsWith('.json')))
    cpSync(join(from, 'llama', file), join(to, 'dist/llama', file));
}
