import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { System } from '../../lib/parts/parts.ts';
import { type NpmEntry, type NpmLock, placeOf } from '../part-lock.ts';

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

/**
 * Refuses a lock that a supported system could not install from: npm leaves a package out where the
 * registry at hand does not have it, and whoever installs there later lacks it without a word.
 *
 * @throws an error that names each package without an integrity
 */
export function checkLock(lock: NpmLock): void {
  const without = Object.entries(lock.packages).flatMap(([place, entry]) => [
    ...(isFetched(place, entry) && entry.integrity === undefined && isSupported(entry)
      ? [`${nameOf(place)} ${entry.version}`]
      : []),
    ...Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => placeOf(place, name, lock) === undefined && isSupported(wordsOf(name)))
      .map(([name, version]) => `${name} ${version}`),
  ]);
  if (without.length === 0) return;
  const names = [...new Set(without)].sort().join(', ');
  throw new Error(
    `package-lock.json has no integrity of ${names}; take versions that the registry has for every system`,
  );
}

/** Entries of this repository's own folders have no bytes of the registry. */
function isFetched(place: string, { link }: NpmEntry): boolean {
  return place.includes('node_modules/') && link !== true;
}

function isSupported({ os, cpu, libc }: Pick<NpmEntry, 'os' | 'cpu' | 'libc'>): boolean {
  const fits = (list: string[] | undefined, value: string | undefined): boolean =>
    list === undefined || value === undefined || list.includes(value);
  return supportedSystems.some(
    (each: System) => fits(os, each.os) && fits(cpu, each.cpu) && fits(libc, each.libc),
  );
}

/** A package that is not in the lock says its system in its name, if it has one. */
function wordsOf(name: string): Pick<NpmEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  const pick = (known: Readonly<Record<string, string>>): string[] | undefined => {
    const found = words.flatMap((word) => known[word] ?? []);
    return found.length === 0 ? undefined : found;
  };
  const os = pick(osWords);
  const cpu = pick(cpuWords);
  const libc = pick({ gnu: 'glibc', musl: 'musl', gnueabihf: 'glibc', musleabihf: 'musl' });
  return { ...(os && { os }), ...(cpu && { cpu }), ...(libc && { libc }) };
}

const same = (words: string): Record<string, string> =>
  Object.fromEntries(words.split(' ').map((word) => [word, word]));
const osWords = {
  ...same('aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'),
  mac: 'darwin',
  win: 'win32',
};
const cpuWords = same('arm arm64 armv7l ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64');

function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Systems that a package is made for: each of its native packages has to be there. */
export const supportedSystems: readonly System[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
];

/** Has npm install what another system needs. */
export function npmFlags({ os, cpu, libc }: System): string[] {
  return [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
}
