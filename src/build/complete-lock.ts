import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTextIfPresent } from '../lib/files/read-text-if-present.ts';

/**
 * `npm run lock`: adds to package-lock.json the optional packages of other systems that the
 * registry at hand did not have. npm leaves those out, and `npm ci` then refuses the lock.
 * An entry without integrity is fetched where its system is, and nowhere else.
 */
type Entry = {
  version?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
};

const root = resolve(import.meta.dirname, '../..');
const path = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Entry> };
const { packages } = lock;

// npm leaves these out of the lock; they are read from the installed packages.
if (!existsSync(join(root, 'node_modules', 'better-sqlite3'))) {
  console.error('nothing is installed to read from; run: npm ci --ignore-scripts && npm run lock');
  process.exit(1);
}

for (const [place, entry] of Object.entries(packages)) {
  if (entry.version === undefined && place !== '') delete packages[place];
}
let added = 0;
for (const [place, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (!/^\d+\.\d+\.\d+/.test(version) || isLocked(place, name, version)) continue;
    const top = `node_modules/${name}`;
    const free = packages[top] === undefined ? top : `${place}/node_modules/${name}`;
    packages[free] = {
      version,
      ...systemOf(name),
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
    };
    added += 1;
  }
}
// npm does not keep "gypfile": false in the lock, takes a package that comes prebuilt for one
// that has to be compiled, and then needs a compiler and headers from elsewhere.
for (const [place, entry] of Object.entries(packages)) {
  const manifest = readTextIfPresent(join(root, place, 'package.json'));
  if (place === '' || manifest === undefined) continue;
  if ((JSON.parse(manifest) as { gypfile?: boolean }).gypfile === false) entry.gypfile = false;
}
const sorted = Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other systems added to package-lock.json`);

/** Whether a package at `place` finds this version, as Node looks for it: in each folder up. */
function isLocked(place: string, name: string, version: string): boolean {
  const parts = place === '' ? [] : place.split('/node_modules/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const folder = parts.slice(0, depth).join('/node_modules/');
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const found = packages[candidate];
    // An entry with a name of its own is an override, whatever its version.
    if (found !== undefined) return found.name !== undefined || found.version === version;
  }
  return false;
}

/** Packages of one system say which in their names. */
function systemOf(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } {
  const words = name.split(/[-/]/);
  const pick = (table: Readonly<Record<string, string>>): string[] | undefined => {
    const word = words.find((each) => table[each] !== undefined);
    return word === undefined ? undefined : [table[word] as string];
  };
  const os = pick({
    android: 'android',
    darwin: 'darwin',
    mac: 'darwin',
    freebsd: 'freebsd',
    linux: 'linux',
    openharmony: 'openharmony',
    win: 'win32',
    win32: 'win32',
  });
  const cpu = pick({
    arm: 'arm',
    arm64: 'arm64',
    armv7l: 'arm',
    ia32: 'ia32',
    ppc64: 'ppc64',
    riscv64: 'riscv64',
    s390x: 's390x',
    wasm32: 'wasm32',
    x64: 'x64',
  });
  const libc =
    os?.[0] === 'linux'
      ? pick({ gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' })
      : undefined;
  return {
    ...(os === undefined ? {} : { os }),
    ...(cpu === undefined ? {} : { cpu }),
    ...(libc === undefined ? {} : { libc }),
  };
}
