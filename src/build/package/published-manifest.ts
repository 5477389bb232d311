import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NpmLock } from '../part-lock.ts';
import { checkLock } from './check-lock.ts';

type Manifest = Record<string, unknown>;

/**
 * Packages of native code, one for each system that Node 26 and the memory tables run on. Builds for
 * musl and for graphics cards are parts of their own.
 */
const native =
  /^node_modules\/(@lancedb\/lancedb-|@node-llama-cpp\/|@napi-rs\/keyring-)(?!.*(?:musl|cuda|vulkan|arm-|armv7l|ia32|freebsd|riscv64))/;

/** Installed besides `dist`, which is made. */
const shippedFiles = [
  'dist',
  // The same bytes lie where plugins are installed.
  '!dist/builtin/wasm',
  '!dist/package.json.clone',
  'sdk',
  '!sdk/**/*.test.ts',
  'wit',
  'src/contracts/schema',
  // Read where it lies in a clone, too.
  'src/policy/rules/shipped',
  'src/models/shipped',
  'src/skills/shipped',
  'docs',
  'CHANGELOG.md',
  'SECURITY.md',
];

/**
 * package.json as it is published: all JavaScript lies in `dist`, so that only native code is left
 * to install.
 *
 * @throws where the lock has no integrity of a package of a supported system
 */
export function publishedManifest(root: string): Manifest {
  const own = readJson(join(root, 'package.json')) as Manifest;
  const lock = readJson(join(root, 'package-lock.json')) as NpmLock;
  checkLock(lock);
  const optionalDependencies = Object.fromEntries(
    Object.entries(lock.packages)
      .filter(([place, { link }]) => native.test(place) && link !== true)
      .map(([place, { version }]) => [place.slice('node_modules/'.length), version]),
  );
  const { name, version, description, license, type, bin } = own;
  return {
    name,
    version,
    description,
    license,
    type,
    bin,
    exports: {
      '.': { types: './dist/types/src/index.d.ts', default: './dist/index.cjs' },
      './package.json': './package.json',
    },
    files: shippedFiles,
    engines: { node: '>=20' },
    optionalDependencies,
  };
}

/** Files of a clone that are packed, with those that npm always takes. */
export function packedPlaces(): string[] {
  return [...shippedFiles.filter((place) => !place.startsWith('!')), 'README.md', 'LICENSE'];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
