import { existsSync } from 'node:fs';
import type { ListedEntry, Sight, WalkOptions } from '../fs/fs-types.ts';
import { createGlobFilter } from '../fs/glob-filter.ts';
import { listTree, lookAtPath, maxListMs, rulesAt, sightOf } from '../fs/list-tree.ts';
import { compareInWalk } from '../fs/visit-tree.ts';
import type { Folders, Row } from './open-index-file.ts';

/** The files of a workspace as they are, and what the index knows of them. */
export type KnownTree = {
  /** in the order of a walk */
  rows: Row[];
  folders: Folders;
  /** false when a limit left something out, or a name that no path can express */
  isWhole: boolean;
};

export type Difference = {
  tree: KnownTree;
  /** rows of files that are new or changed since they were read */
  stale: Row[];
  /** paths that the index knows and that are no more */
  gone: string[];
  /** folders were listed anew */
  isListed: boolean;
  /** the list was cut short: what it left out may be there */
  isCut: boolean;
};

/**
 * Finds what changed, by looking at every file and folder. Where no folder changed, none is listed.
 *
 * @param maxMs see `listTree`
 */
export function compareTree(
  root: string,
  known: KnownTree,
  isWithheld: (path: string) => boolean,
  maxMs?: number,
): Difference {
  if (known.folders.size === 0 || !foldersStand(root, known.folders)) {
    return listedAnew(root, known, isWithheld, maxMs);
  }
  const stale: Row[] = [];
  const rows = known.rows.slice();
  for (const [at, row] of known.rows.entries()) {
    const stats = lookAtPath(`${root}/${row.path}`);
    if (stats === undefined || stats.isDirectory())
      return listedAnew(root, known, isWithheld, maxMs);
    if (isSame(row, stats) && row.id !== 0) continue;
    const now = {
      ...row,
      ...sightOf(stats),
      isFile: stats.isFile() && !isWithheld(row.path),
      id: 0,
    };
    rows[at] = now;
    stale.push(now);
  }
  return { tree: { ...known, rows }, stale, gone: [], isListed: false, isCut: false };
}

/**
 * Finds what changed in some folders and in those that are new, and looks at nothing else.
 *
 * @param changed paths of folders, the nearest that there are
 */
export function compareFolders(
  root: string,
  known: KnownTree,
  changed: ReadonlySet<string>,
  isWithheld: (path: string) => boolean,
): Difference {
  const startedMs = Date.now();
  const listed = listTree(root, isWithheld, {
    scope: { changed, known: known.folders },
    maxMs: maxListMs.updating,
  });
  const isGone = (path: string): boolean => {
    if (listed.folders.has(path)) return false;
    const above = folderOf(path);
    return (
      changed.has(path) || (path !== '' && (changed.has(above) ? !isThere(path) : isGone(above)))
    );
  };
  const isThere = (path: string): boolean => lookAtPath(`${root}/${path}`)?.isDirectory() === true;
  const folders: Folders = new Map();
  for (const [path, folder] of known.folders) if (!isGone(path)) folders.set(path, folder);
  for (const [path, folder] of listed.folders) folders.set(path, settled(folder, startedMs));
  // In a large tree most of the time goes to what is not of these folders.
  const others: Row[] = [];
  const before: Row[] = [];
  for (const row of known.rows) {
    const folder = folderOf(row.path);
    (folders.has(folder) && !listed.folders.has(folder) ? others : before).push(row);
  }
  const found = rowsOf(before, listed.entries);
  const there = new Set(found.rows.map(({ path }) => path));
  const unseen = before.filter(({ path }) => !there.has(path));
  const rows = [...others, ...found.rows, ...(listed.isCut ? unseen : [])];
  rows.sort((one, other) => compareInWalk(one.path, other.path));
  const gone = listed.isCut ? [] : unseen.map(({ path }) => path);
  const isWhole = known.isWhole && listed.isWhole;
  const tree = { rows, folders, isWhole };
  return { tree, stale: found.stale, gone, isListed: true, isCut: listed.isCut };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function foldersStand(root: string, folders: Folders): boolean {
  for (const [path, folder] of folders) {
    const at = `${root}/${path}`;
    const stats = lookAtPath(at);
    if (stats === undefined || !stats.isDirectory() || !isSame(folder, stats)) return false;
    if (folder.rules !== '' && rulesAt(at) !== folder.rules) return false;
  }
  return true;
}

function isSame(one: Sight, other: Sight): boolean {
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino
  );
}

const unread = { id: 0, bytes: -1, isOpaque: false, first: 0, windows: 0, length: 0 };

function listedAnew(
  root: string,
  known: KnownTree,
  isWithheld: (path: string) => boolean,
  maxMs: number | undefined,
): Difference {
  const startedMs = Date.now();
  const { entries, folders, isCut, isWhole } = listTree(root, isWithheld, {
    ...(maxMs && { maxMs }),
  });
  for (const [path, folder] of folders) folders.set(path, settled(folder, startedMs));
  const { rows, stale } = rowsOf(known.rows, entries);
  const there = new Set(rows.map(({ path }) => path));
  const others = known.rows.filter(({ path }) => !there.has(path));
  // To read again what a cut list left out would take minutes.
  const tree = { rows: isCut ? [...rows, ...others] : rows, folders, isWhole };
  const gone = isCut ? [] : others.map(({ path }) => path);
  return { tree, stale, gone, isListed: true, isCut };
}

/** The rows of all entries, and the stale ones that must be read. */
function rowsOf(
  known: readonly Row[],
  entries: readonly ListedEntry[],
): { rows: Row[]; stale: Row[] } {
  const before = new Map(known.map((row) => [row.path, row]));
  const stale: Row[] = [];
  const rows = entries.map((entry) => {
    const row = before.get(entry.path);
    if (row !== undefined && row.id !== 0 && isSame(row, entry) && row.hiddenAt === entry.hiddenAt)
      return row;
    const now = { ...unread, ...entry };
    stale.push(now);
    return now;
  });
  return { rows, stale };
}

/** File systems tell times in steps of up to two seconds: within one, a second change is not seen. */
const stepMs = 2000;

/**
 * The metadata to keep for a file. If it changed just before the read, it is marked to be read
 * again.
 *
 * @param readMs when it was, at the earliest
 */
export function settled<Seen extends Sight>(seen: Seen, readMs: number): Seen {
  return seen.ctimeMs >= readMs - stepMs ? { ...seen, ctimeMs: -1 } : seen;
}

/**
 * The rows that a walk with these options comes by, in its order.
 *
 * @param start path of the folder that is walked, empty for all
 * @returns undefined where the walk may come by what the index does not know
 */
export function visibleRows(
  root: string,
  { rows, folders, isWhole }: KnownTree,
  start: string,
  options: WalkOptions,
): Row[] | undefined {
  if (!isWhole || !options.ignoreFiles || options.maxDepth !== undefined) return undefined;
  if (!folders.has(start)) return undefined;
  const prefix = start === '' ? '' : `${start}/`;
  const globs = createGlobFilter(options.include, options.exclude, (path) =>
    existsSync(`${root}/${prefix}${path}`),
  );
  /** path of a folder below the start -> what it says of all in it */
  const known = new Map<string, { isOut: boolean; isIn: boolean }>();

  function folderAt(path: string): { isOut: boolean; isIn: boolean } {
    if (path === '') return { isOut: false, isIn: globs.includesAll };
    const found = known.get(path);
    if (found !== undefined) return found;
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const above = folderAt(path.slice(0, Math.max(0, slash)));
    const made = {
      isOut: above.isOut || globs.excludes(path, name, true),
      isIn: above.isIn || globs.includes(path, name, true),
    };
    known.set(path, made);
    return made;
  }

  return rows.filter((row) => {
    if (!row.path.startsWith(prefix)) return false;
    if (!options.hidden && row.hiddenAt >= prefix.length) return false;
    const path = row.path.slice(prefix.length);
    const slash = path.lastIndexOf('/');
    const { isOut, isIn } = folderAt(path.slice(0, Math.max(0, slash)));
    if (isOut) return false;
    const name = path.slice(slash + 1);
    return !globs.excludes(path, name, false) && (isIn || globs.includes(path, name, false));
  });
}
