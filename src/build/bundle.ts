import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { compileScript } from '../host/install/transpile/transpile-component.ts';
import { decodeEmbedderFile } from '../memory/static/embedder-file.ts';
import {
  encodePieceTable,
  pieceTableFileName,
  tabulatePieces,
} from '../memory/static/index-word-pieces.ts';
import { codeEmbedderFileName, embedderFileName } from '../memory/static/load-embedder.ts';
import { createProcessSandbox } from '../sandbox/process-sandbox.ts';
import { bundleParts, lateBuiltins } from './bundle-parts.ts';
import { writeBesideBundles } from './package/made-files.ts';
import { bundleManifest, bundleVendored, useVendored } from './package/vendor.ts';

/** Limits for a build: a person can stop it, and it reads only our own scripts. */
const own = {
  timeoutMs: 600_000,
  signal: new AbortController().signal,
  confine: createProcessSandbox('none').confine,
};

const require = createRequire(import.meta.url);

/**
 * The bundles a person or the kernel starts: plain JavaScript, because stripping types
 * costs more at start than the rest of the start.
 *
 * @param root folder of package.json
 */
export async function bundle(root: string): Promise<void> {
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  const common = {
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node26',
    absWorkingDir: root,
    outdir: dist,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  } as const;
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(bundleManifest)}\n`);
  const transpiler = dirname(require.resolve('@bytecodealliance/jco-transpile/component'));
  const [vendored, cuervo, ...others] = await Promise.all([
    bundleVendored(common),
    bundleParts(common, {
      entryPoints: { main: './src/cli/main.ts', index: './src/index.ts' },
      parts: {
        core: './src/kernel.ts',
        store: './src/store/open-store.ts',
        memory: './src/memory/open-memory.ts',
        ask: './src/kernel/ask/create-ask.ts',
      },
      plugins: [useVendored, lateBuiltins],
    }),
    // Their own processes, which share nothing with the rest.
    build({
      ...common,
      plugins: [useVendored],
      entryPoints: {
        'llama-child': './src/models/llama/child.ts',
        'onnx-child': './src/models/onnx/child.ts',
        'document-child': './src/documents/child.ts',
      },
      splitting: true,
      chunkNames: 'chunks/model-[hash]',
    }),
    // For a Node that is too old for the rest.
    build({
      ...common,
      plugins: [useVendored],
      format: 'cjs',
      target: 'node20',
      outExtension: { '.js': '.cjs' },
      // The one word of modules that CommonJS has no word for.
      define: { 'import.meta.dirname': '__dirname' },
      entryPoints: { add: './src/cli/add-main.ts' },
    }),
    // A plugin process may read its own files and nothing else, so its program stands alone.
    build({
      ...common,
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      entryPoints: { compile: './src/host/install/transpile/compile-child.ts' },
    }),
    build({
      ...common,
      format: 'cjs',
      // A script whose value is the program, for the loader; see there.
      banner: { js: '(function (require) {' },
      footer: { js: '})' },
      // Less to read at each start, and one byte a character, so that nothing is to be decoded.
      minifyWhitespace: true,
      charset: 'ascii',
      entryPoints: { 'process.main': './src/host/process/main.ts' },
    }),
    // For a browser; it is sent as it is, so each byte counts.
    build({
      ...common,
      platform: 'browser',
      format: 'iife',
      target: 'es2024',
      minify: true,
      outdir: join(dist, 'page'),
      entryPoints: { page: './src/page/browser/main.ts', style: './src/page/browser/page.css' },
    }),
    build({
      ...common,
      // The transpiler is a component itself. Not being "node" picks its WASI shim for browsers:
      // plain JavaScript without files, workers or sockets, which is all it needs.
      platform: 'neutral',
      external: ['node:*'],
      entryPoints: {
        transpile: './src/host/install/transpile/child.ts',
        wrap: './src/host/install/transpile/wrap-child.ts',
      },
    }),
  ]);
  const built = [cuervo, ...others];
  removeOldChunks(dist, [...cuervo.files, ...others.flatMap(filesOf)]);
  writeBesideBundles(root, [...vendored, ...built.map(({ metafile }) => metafile)]);
  for (const name of ['lock-down.cjs', 'lock-down-models.cjs'])
    copyFileSync(join(root, 'src/sandbox', name), join(dist, name));
  const start = ['src/sandbox/lock-down.cjs', 'src/host/process/loader.cjs'].map((name) =>
    readFileSync(join(root, name)),
  );
  writeFileSync(join(dist, 'process.cjs'), Buffer.concat(start));
  const program = readFileSync(join(dist, 'process.main.js'));
  if (program.some((byte) => byte > 127))
    throw new Error('process.main.js is not ASCII: write what a regular expression holds as \\u…');
  const options = { bundle: join(dist, 'transpile.js'), ...own };
  writeFileSync(join(dist, 'process.main.code'), await compileScript(program, options));
  for (const component of ['js-component-bindgen-component', 'wasm-tools']) {
    for (const part of ['core', 'core2']) {
      const file = `${component}.${part}.wasm`;
      copyFileSync(join(transpiler, file), join(dist, file));
    }
  }
  copyAdapters(transpiler, dist);
  for (const table of [embedderFileName, codeEmbedderFileName])
    copyFileSync(join(root, 'src/memory/static', table), join(dist, table));
  const { vocabulary } = decodeEmbedderFile(readFileSync(join(dist, embedderFileName)));
  writeFileSync(join(dist, pieceTableFileName), encodePieceTable(tabulatePieces(vocabulary)));
  for (const name of ['trusted-root.json', 'tuf-root.json'])
    copyFileSync(join(root, 'src/packages/signatures', name), join(dist, name));
  // The launcher must parse on any Node, so it is copied as it is.
  copyFileSync(join(root, 'src/cli/launcher.cjs'), join(dist, 'cuervo.cjs'));
  for (const name of ['start', 'parts', 'kept-code', 'old-node', 'find-node', 'is-own'])
    copyFileSync(join(root, `src/cli/${name}.cjs`), join(dist, `${name}.cjs`));
  chmodSync(join(dist, 'cuervo.cjs'), 0o755);
  writeFileSync(join(dist, 'version.json'), `${JSON.stringify({ version: versionOf(root) })}\n`);
}

/** @param folder of a package.json */
function versionOf(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Removes chunks of earlier builds, which nothing loads any more. */
function removeOldChunks(dist: string, built: readonly string[]): void {
  const made = new Set(built);
  for (const name of readdirSync(join(dist, 'chunks')))
    if (!made.has(name)) rmSync(join(dist, 'chunks', name));
}

function filesOf({ metafile }: { metafile: Metafile }): string[] {
  return Object.keys(metafile.outputs).map((path) => basename(path));
}

/**
 * Wasmtime's adapters from WASI preview 1 to 0.2, which jco ships, with the licence of both. Who
 * installs the package has them in `dist`. jco itself comes with what only development needs;
 * without it the build has no adapters, and a preview-1 module is refused with that reason.
 */
function copyAdapters(transpiler: string, dist: string): void {
  const packages = join(transpiler, '../..');
  for (const kind of ['command', 'reactor']) {
    const file = join(packages, `jco/lib/wasi_snapshot_preview1.${kind}.wasm`);
    if (existsSync(file)) copyFileSync(file, join(dist, `wasi-preview1-${kind}.wasm`));
  }
  copyFileSync(join(packages, 'jco-transpile/LICENSE'), join(dist, 'wasi-preview1.LICENSE'));
}
