import type { System } from '../../lib/parts/parts.ts';
import { type NpmEntry, type NpmLock, placeOf } from '../part-lock.ts';
import { supportedSystems } from '../systems.ts';

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
