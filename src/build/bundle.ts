import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { compileScript } from '../host/transpile/compile-script.ts';

/** Of one who builds and can stop it. */
const forever = { timeoutMs: 600_000, signal: new AbortController().signal };

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
    packages: 'external',
    absWorkingDir: root,
    outdir: dist,
    legalComments: 'none',
    logLevel: 'warning',
  } as const;
  await Promise.all([
    build({
      ...common,
      entryPoints: {
        main: './src/cli/main.ts',
        index: './src/index.ts',
        'llama-child': './src/models/llama/child.ts',
        'onnx-child': './src/models/onnx/child.ts',
      },
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
    }),
    // A plugin process may read its own files and nothing else, so its program stands alone.
    build({
      ...common,
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      packages: 'bundle',
      entryPoints: { compile: './src/host/transpile/compile-child.ts' },
    }),
    build({
      ...common,
      format: 'cjs',
      packages: 'bundle',
      // A script whose value is the program, for the loader; see there.
      banner: { js: '(function (require) {' },
      footer: { js: '})' },
      // Less to read at each start, and one byte a character, so that nothing is to be decoded.
      minifyWhitespace: true,
      charset: 'ascii',
      entryPoints: { 'process.main': './src/host/process/main.ts' },
    }),
    build({
      ...common,
      // The transpiler is a component itself. Not being "node" picks its WASI shim for browsers:
      // plain JavaScript without files, workers or sockets, which is all it needs.
      platform: 'neutral',
      packages: 'bundle',
      external: ['node:*'],
      entryPoints: {
        transpile: './src/host/transpile/child.ts',
        wrap: './src/host/transpile/wrap-child.ts',
      },
    }),
  ]);
  copyFileSync(join(root, 'src/host/process/loader.cjs'), join(dist, 'process.cjs'));
  const program = readFileSync(join(dist, 'process.main.js'));
  if (program.some((byte) => byte > 127))
    throw new Error('process.main.js is not ASCII: write what a regular expression holds as \\u…');
  const options = { bundle: join(dist, 'transpile.js'), ...forever };
  writeFileSync(join(dist, 'process.main.code'), await compileScript(program, options));
  const transpiler = dirname(require.resolve('@bytecodealliance/jco-transpile/component'));
  for (const component of ['js-component-bindgen-component', 'wasm-tools']) {
    for (const part of ['core', 'core2']) {
      const file = `${component}.${part}.wasm`;
      copyFileSync(join(transpiler, file), join(dist, file));
    }
  }
  copyAdapters(transpiler, dist);
  for (const table of ['static-embedder.ste', 'code-embedder.ste'])
    copyFileSync(join(root, 'src/memory/static', table), join(dist, table));
  // The launcher must parse on any Node, so it is copied as it is.
  copyFileSync(join(root, 'src/cli/launcher.cjs'), join(dist, 'cuervo.cjs'));
  chmodSync(join(dist, 'cuervo.cjs'), 0o755);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  writeFileSync(join(dist, 'version.json'), `${JSON.stringify({ version })}\n`);
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
