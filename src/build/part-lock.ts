import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LockedPackage, PartLocks } from '../lib/parts/part-lock.ts';
import { type PartName, partNames, parts } from '../lib/parts/parts.ts';

/** An entry of package-lock.json. */
export type NpmEntry = {
  /** where another package takes the place of the one that was asked for */
  name?: string;
  version: string;
  integrity?: string;
  /** a folder of this repository, which takes the place of what nothing here runs */
  link?: boolean;
  resolved?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
export type NpmLock = { packages: Record<string, NpmEntry> };

/** A package as far as package-lock.json tells of it. */
export type WantedPackage = Omit<LockedPackage, 'integrity' | 'bytes' | 'unpackedBytes'> & {
  integrity?: string;
};

/** Systems that parts are locked for. */
const systems = { os: ['linux', 'darwin', 'win32'], cpu: ['x64', 'arm64'] };

/** What belongs to each part, of all systems. */
export function wantedPackages(lock: NpmLock): Record<PartName, WantedPackage[]> {
  return Object.fromEntries(partNames.map((part) => [part, wantedOf(part, lock)])) as Record<
    PartName,
    WantedPackage[]
  >;
}

/** Differences between the committed lock and package-lock.json, one sentence each. */
export function staleParts(lock: NpmLock, locks: PartLocks): string[] {
  return Object.entries(wantedPackages(lock)).flatMap(([part, wanted]) => {
    const kept = locks[part] ?? [];
    const missing = wanted
      // Packages that only a part brings are in no package-lock.json, so their digest is not known.
      .filter(({ integrity }) => integrity !== undefined)
      .filter((each) => !kept.some((other) => isSame(each, other)));
    const left = kept.filter((each) => !wanted.some((other) => isSame(other, each)));
    return [...missing, ...left].map(({ name, version }) => `${part}: ${name} ${version}`);
  });
}

export function isSame(wanted: WantedPackage, kept: LockedPackage): boolean {
  const names = ['name', 'version', 'place', 'os', 'cpu', 'libc'] as const;
  return (
    names.every((name) => JSON.stringify(wanted[name]) === JSON.stringify(kept[name])) &&
    (wanted.integrity === undefined || wanted.integrity === kept.integrity)
  );
}

function isUsual({ os, cpu }: Pick<NpmEntry, 'os' | 'cpu'>): boolean {
  const one = (list: string[] | undefined, known: string[]): boolean =>
    list === undefined || list.some((each) => known.includes(each));
  return one(os, systems.os) && one(cpu, systems.cpu);
}

function wantedOf(part: PartName, lock: NpmLock): WantedPackage[] {
  const { roots, without = [] } = parts[part];
  if (part === 'gpu') return roots.map((name) => named(name, versionOf('node-llama-cpp', lock)));
  if (part === 'node') return roots.map((name) => named(name, versionOf('node', lock)));
  const places = new Set<string>();
  const add = (place: string | undefined): void => {
    const entry = place === undefined ? undefined : lock.packages[place];
    if (place === undefined || entry === undefined || places.has(place)) return;
    if (entry.link === true || !isUsual(entry)) return;
    places.add(place);
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      if (!without.includes(name)) add(placeOf(place, name, lock));
  };
  for (const name of roots) add(`node_modules/${name}`);
  return [...places].sort().map((place) => {
    const entry = lock.packages[place] as NpmEntry;
    return {
      name: entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 13),
      version: entry.version,
      place,
      ...(entry.integrity === undefined ? {} : { integrity: entry.integrity }),
      ...systemOf(entry),
    };
  });
}

/** Looks for a package as Node does: in each folder up. */
export function placeOf(from: string, name: string, { packages }: NpmLock): string | undefined {
  const steps = from.split('/node_modules/');
  for (let depth = steps.length; depth >= 0; depth -= 1) {
    const folder = steps.slice(0, depth).join('/node_modules/');
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
  }
  return undefined;
}

function versionOf(name: string, { packages }: NpmLock): string {
  const version = packages[`node_modules/${name}`]?.version;
  if (version === undefined) throw new Error(`package-lock.json has no ${name}`);
  return version;
}

/** A package that package-lock.json leaves out says its system in its name. */
function named(name: string, version: string): WantedPackage {
  const words = name.split(/[-/]/);
  const os = { linux: 'linux', win: 'win32', darwin: 'darwin' };
  return {
    name,
    version,
    place: `node_modules/${name}`,
    os: Object.entries(os).flatMap(([word, each]) => (words.includes(word) ? [each] : [])),
    cpu: ['x64', 'arm64'].filter((cpu) => words.includes(cpu)),
    ...(words.includes('linux') ? { libc: ['glibc'] } : {}),
  };
}

function systemOf({ os, cpu, libc }: NpmEntry): Pick<WantedPackage, 'os' | 'cpu' | 'libc'> {
  return {
    ...(os === undefined ? {} : { os }),
    ...(cpu === undefined ? {} : { cpu }),
    ...(libc === undefined ? {} : { libc }),
  };
}

/** Disk blocks, as `du` counts: what a person loses. */
export function bytesBelow(path: string): number {
  const found = lstatSync(path);
  const own = found.blocks * 512;
  if (!found.isDirectory()) return found.nlink > 1 ? own / found.nlink : own;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), own);
}
