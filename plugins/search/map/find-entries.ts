import { folderOf } from '../code/resolve-import.ts';
import { isTest } from '../passages/path-factor.ts';
import type { MapHost } from './map-workspace.ts';

export type EntryPoint = {
  path: string;
  /** what says so: `bin cuervo`, `main`, `exports`, or the kind of file */
  why: string;
};

const manifests = ['package.json', 'go.mod', 'Cargo.toml'];
const maxManifests = 200;
const maxManifestBytes = 256 * 1024;
/** Entry points that a person can look over. */
const mostEntries = 16;
const mostOfOne = 4;
/** Files at which a program begins, by their names. */
const mainFiles = [
  'main.go',
  'main.rs',
  '__main__.py',
  'manage.py',
  'main.py',
  'main.c',
  'main.cpp',
  'Main.java',
  'Program.cs',
  'main.swift',
  'main.dart',
];

/**
 * Where programs and libraries begin, the nearest to the top first.
 *
 * @returns with the packages of the workspace: name -> folder
 */
export function findEntries(
  host: Pick<MapHost, 'walk' | 'readMany'>,
  place: string,
): { entries: EntryPoint[]; packages: Map<string, string> } {
  const found = host
    .walk(place, { include: manifests, limit: maxManifests * 10 })
    .map(({ path }) => path)
    .toSorted((one, other) => depthOf(one) - depthOf(other))
    .slice(0, maxManifests);
  const packages = new Map<string, string>();
  const entries: EntryPoint[] = [];
  for (const { path, value } of found.length === 0 ? [] : host.readMany(found, maxManifestBytes)) {
    if (value === undefined) continue;
    const plain = path.replace(/^work:/, '');
    const folder = folderOf(plain);
    const name = /go\.mod$/.test(plain) ? /^module\s+(\S+)/m.exec(value.text)?.[1] : undefined;
    if (name !== undefined) packages.set(name, folder);
    if (!plain.endsWith('package.json')) continue;
    const manifest = parseObject(value.text);
    if (typeof manifest.name === 'string' && manifest.name !== '')
      packages.set(manifest.name, folder);
    entries.push(...entriesOf(manifest, folder).slice(0, mostOfOne));
  }
  const mains = host.walk(place, { include: mainFiles, limit: 200 });
  entries.push(
    ...mains
      .map(({ path }) => path.replace(/^work:/, ''))
      .filter((path) => !isTest(path))
      .toSorted((one, other) => depthOf(one) - depthOf(other))
      .map((path) => ({ path, why: 'starts a program' })),
  );
  return { entries: entries.slice(0, mostEntries), packages };
}

const depthOf = (path: string): number => path.split('/').length;

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed !== null && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {}; // a half-written manifest names nothing
  }
}

function entriesOf(manifest: Record<string, unknown>, folder: string): EntryPoint[] {
  const at = (path: string): string =>
    `${folder}/${path.replace(/^\.\//, '')}`.replace(/^\//, '').slice(0, 200);
  const { bin, main, exports } = manifest;
  const found: EntryPoint[] = [];
  if (typeof bin === 'string') found.push({ path: at(bin), why: `bin ${String(manifest.name)}` });
  else if (bin !== null && typeof bin === 'object')
    for (const [name, path] of Object.entries(bin))
      if (typeof path === 'string') found.push({ path: at(path), why: `bin ${name}` });
  const library = typeof main === 'string' ? main : firstPath(exports);
  if (library !== undefined) found.push({ path: at(library), why: 'library' });
  return found;
}

/** The first file that `exports` names for the package itself. */
function firstPath(exports: unknown, depth = 0): string | undefined {
  if (typeof exports === 'string') return exports;
  if (exports === null || typeof exports !== 'object' || depth > 4) return undefined;
  const own = exports as Record<string, unknown>;
  for (const value of [own['.'], own.import, own.default, ...Object.values(own)]) {
    const path = firstPath(value, depth + 1);
    if (path !== undefined) return path;
  }
  return undefined;
}
