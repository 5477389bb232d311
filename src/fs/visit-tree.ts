import { type Dirent, fstatSync, lstatSync, type Stats } from 'node:fs';
import { createNotReadSum, type NotRead, unreadable } from '../contracts/not-read.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import {
  enterDirectory,
  type IgnoreState,
  ignoreVerdict,
  noIgnoreRules,
  reopenDirectory,
} from '../paths/ignore-rules.ts';
import { statBelow } from '../paths/open-below.ts';
import { atName, closeName, directoryFlags, openName } from '../paths/open-name.ts';
import { HostFailure, isLocalFailure, mayNotBeRead } from '../paths/system-failure.ts';
import {
  type Candidates,
  type Entry,
  type Kind,
  namesOnWay,
  type Unsearched,
  type WalkOptions,
} from './fs-types.ts';
import { createGlobFilter, hasEntry, readRuleFile, type SearchPlace } from './glob-filter.ts';
import {
  createEntry,
  type DirectoryListing,
  kindOf,
  lookAt,
  readDirectory,
} from './list-directory.ts';
import type { Folder } from './open-files.ts';
import { checkNumber } from './work-within.ts';

/**
 * Below 0 when a walk reaches the first path before the other. A walk goes depth first, in byte
 * order of names: the content of `a` comes before `a.txt`.
 */
export function compareInWalk(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) {
    const unit = one.charCodeAt(at);
    const otherUnit = other.charCodeAt(at);
    if (unit !== otherUnit) return rank(unit) - rank(otherUnit);
  }
  return one.length - other.length;
}

const slash = 0x2f;

/** Bytes of UTF-8 are in the order of code points; surrogates stand for those above all others. */
function rank(unit: number): number {
  if (unit === slash) return 0;
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Visits between two looks at the clock. */
const askEvery = 8;

/** A folder that a walk goes into, as it was opened. */
export type ListedFolder = Folder & {
  /** relative to the root, empty for the root itself */
  path: string;
  /** size of its list of names on the file system */
  bytes: number;
  /** its link count; see `createSide()` */
  links: number;
  device: number;
};

/**
 * Called for each entry, depth first, in byte order of names.
 *
 * @param folder that the name stands in; open only during the call
 * @param path relative to the root
 * @param hiddenAt where the last hidden name in the path begins that no rule keeps; -1 for none
 * @returns false to end the walk
 */
type Visit = (
  folder: ListedFolder,
  name: string,
  path: string,
  kind: Kind,
  hiddenAt: number,
) => boolean;

export type TreeWalk = {
  rootFd: number;
  /** where to start, all links resolved; a file is visited itself */
  start: readonly string[];
  options: WalkOptions;
  isWithheld(path: string): boolean;
  /** see `SearchPlace` */
  isOver?(): boolean;
  /** entries that may be visited */
  maxEntries?: number;
  /** asked for each folder; false leaves out its content. Absent: no folder is left out */
  looksInto?(folder: ListedFolder): boolean;
  /**
   * the names to visit in a folder, in byte order; missing ones are passed over. Undefined, or no
   * such function: the folder is listed
   */
  namesIn?: ((path: string) => readonly string[] | undefined) | undefined;
  visit: Visit;
  /**
   * called for each directory with the number of names left out because no path can express them;
   * names that the options leave out anyway do not count
   */
  onUnnamed?: (count: number) => void;
  /** told of each folder that could not be read, relative to the root */
  onUnread?: (path: string) => void;
};

/** What holds in a directory on the way down. */
type Inside = {
  state: IgnoreState;
  depth: number;
  included: boolean;
  /** see `Visit` */
  hiddenAt: number;
};

type Level = Inside & {
  folder: ListedFolder;
  /** its path with a slash behind it, empty for the root */
  prefix: string;
};

/**
 * Walks below a descriptor. Each directory stays open while the walk is inside it, and what
 * is in it is reached through that descriptor, so nothing that is moved or replaced in the
 * meantime leads anywhere else. Links are seen and never followed; `.git` and protected
 * directories are never entered. Below the start, what cannot be opened is left out.
 *
 * @returns the first place that a limit left out, path relative to the root; undefined: nothing
 * @throws {HostFailure} for bad globs; errors of the system for the start
 */
export function visitTree({
  rootFd,
  start,
  options,
  isWithheld,
  isOver,
  maxEntries = fsLimits.walkEntries,
  looksInto = () => true,
  namesIn,
  visit,
  onUnnamed,
  onUnread,
}: TreeWalk): Unsearched | undefined {
  const isThere = (path: string): boolean => isNamed(rootFd, [...start, ...path.split('/')]);
  const globs = createGlobFilter(options.include, options.exclude, isThere);
  const globPrefix = start.length === 0 ? 0 : start.join('/').length + 1;
  const deepest = fsLimits.depth - start.length;
  const asked = checkNumber('max-depth', options.maxDepth ?? fsLimits.depth, 0, fsLimits.depth);
  const maxDepth = Math.min(asked, deepest);
  let left = checkNumber('walk limit', options.limit, 1, maxEntries);
  let cut: Unsearched | undefined;
  const isLate = createLateCheck(isOver);

  const report: Visit = (folder, name, path, kind, hiddenAt) => {
    if (left === 0) return stop('entries', path);
    if (isLate()) return stop('time', path);
    left -= 1;
    return visit(folder, name, path, kind, hiddenAt);
  };

  /** Ends the walk before a path. */
  const stop = (reason: Unsearched['reason'], path: string): false => {
    cut = { reason, path };
    return false;
  };

  const enter: typeof rulesInside = (state, ...folder) =>
    options.ignoreFiles ? rulesInside(state, ...folder) : state;

  function verdictOn(state: IgnoreState, path: string, name: string, isDirectory: boolean) {
    return options.ignoreFiles ? ignoreVerdict(state, path, name, isDirectory) : undefined;
  }

  /** A rule that keeps a hidden file shows it, as in ripgrep. */
  const isLeftOut = (verdict: boolean | undefined, name: string): boolean =>
    verdict ?? (!options.hidden && name.startsWith('.'));

  const globPathOf = (path: string) => (globPrefix === 0 ? path : path.slice(globPrefix));

  /** Whether the walk would visit or enter the entry if a path could express its name. */
  function isWanted(entry: Dirent, prefix: string, state: IgnoreState, included: boolean): boolean {
    const { name } = entry;
    const isDirectory = entry.isDirectory();
    if (isLeftOut(verdictOn(state, prefix + name, name, isDirectory), name)) return false;
    const globPath = globPathOf(prefix + name);
    if (globs.excludes(globPath, name, isDirectory)) return false;
    return isDirectory || included || globs.includes(globPath, name, isDirectory);
  }

  function visitDirectory(fd: number, path: string, inside: Inside): boolean {
    const { depth, included } = inside;
    if (depth > maxDepth) {
      if (asked > deepest || options.maxDepth === undefined) cut ??= { reason: 'depth', path };
      return true;
    }
    const folder = listedFolder(fd, path);
    if (!looksInto(folder)) return true;
    if (isLate()) return stop('time', path);
    const names = namesIn?.(path);
    const listing =
      names === undefined
        ? readDirectory(fd, fsLimits.directoryEntries, folder.bytes)
        : namedEntries(fd, names);
    if (listing.truncated) cut ??= { reason: 'names', path };
    const state = enter(inside.state, fd, path, names === undefined ? listing : undefined);
    const prefix = path === '' ? '' : `${path}/`;
    const level = { ...inside, folder, prefix, state };
    onUnnamed?.(listing.unnamed.filter((entry) => isWanted(entry, prefix, state, included)).length);
    return listing.entries.every((entry) => visitEntry(level, entry));
  }

  /** One walk calls it so often that the engine compiles it. */
  function visitEntry(level: Level, entry: Dirent): boolean {
    const { name } = entry;
    if (name === '.git') return true;
    const child = level.prefix + name;
    const kind = kindOf(entry);
    const isDirectory = kind === 'directory';
    const verdict = verdictOn(level.state, child, name, isDirectory);
    if (isLeftOut(verdict, name)) return true;
    const globPath = globPathOf(child);
    if (globs.excludes(globPath, name, isDirectory)) return true;
    const included = level.included || globs.includes(globPath, name, isDirectory);
    const isHidden = verdict === undefined && name.startsWith('.');
    const hiddenAt = isHidden ? level.prefix.length : level.hiddenAt;
    if (!isDirectory) return !included || report(level.folder, name, child, kind, hiddenAt);
    if (globs.includesAll && !report(level.folder, name, child, kind, hiddenAt)) return false;
    if (isWithheld(child)) return true;
    const state = verdict === false ? reopenDirectory(level.state, child) : level.state;
    const inside = { state, depth: level.depth + 1, included, hiddenAt };
    return visitChild(level.folder.fd, name, child, inside);
  }

  function visitChild(directoryFd: number, name: string, path: string, inside: Inside): boolean {
    let fd: number | undefined;
    try {
      fd = openName(directoryFd, name, directoryFlags);
      return visitDirectory(fd, path, inside);
    } catch (thrown) {
      if (!isLocalFailure(thrown)) throw thrown;
      if (mayNotBeRead(thrown)) onUnread?.(path);
      return true;
    } finally {
      if (fd !== undefined) closeName(fd);
    }
  }

  /** Goes down to the start and collects the rules on the way. */
  function descend(fd: number, depth: number, above: IgnoreState): void {
    const name = start[depth];
    const path = start.slice(0, depth).join('/');
    if (name === undefined) {
      const included = globs.includesAll;
      visitDirectory(fd, path, { state: above, depth: 1, included, hiddenAt: -1 });
      return;
    }
    let state = enter(above, fd, path);
    const child = depth === 0 ? name : `${path}/${name}`;
    const look = () => atName(fd, name, (location) => lstatSync(location));
    if (depth === start.length - 1 && !look().isDirectory()) {
      report(listedFolder(fd, path), name, child, 'file', -1);
      return;
    }
    // The call names this place, so it is walked even if the rules above ignore it.
    if (ignoreVerdict(state, child, name, true) !== undefined)
      state = reopenDirectory(state, child);
    const next = openName(fd, name, directoryFlags);
    try {
      descend(next, depth + 1, state);
    } finally {
      closeName(next);
    }
  }

  descend(rootFd, 0, noIgnoreRules);
  return cut;
}

function rulesInside(
  state: IgnoreState,
  fd: number,
  path: string,
  listing?: DirectoryListing,
): IgnoreState {
  const listed = listing === undefined ? undefined : dotNames(listing);
  const has = (name: string) => listed?.includes(name) ?? hasEntry(fd, name);
  return enterDirectory(state, path, has, (file) => readRuleFile(fd, file));
}

/** Whether plain names lead to something, without `.` or `..` on the way. */
function isNamed(rootFd: number, segments: readonly string[]): boolean {
  if (segments.some((name) => ['', '.', '..'].includes(name))) return false;
  try {
    statBelow({ root: '', rootFd, segments, shown: '' });
    return true;
  } catch (thrown) {
    if (thrown instanceof HostFailure) return false;
    throw thrown;
  }
}

/** A clock is asked for one visit in eight: it costs as much as that of a cached file. */
function createLateCheck(isOver: (() => boolean) | undefined): () => boolean {
  let visits = 0;
  return () => {
    visits += 1;
    return isOver !== undefined && visits % askEvery === 0 && isOver();
  };
}

function listedFolder(fd: number, path: string): ListedFolder {
  const { size, nlink, dev } = fstatSync(fd);
  return { fd, path, bytes: size, links: nlink, device: dev };
}

/** The entries of names that are known, as far as they are there. */
function namedEntries(directoryFd: number, names: readonly string[]): DirectoryListing {
  const entries = names.flatMap((name): Dirent[] => {
    const look = (location: string | Buffer) => lstatSync(location, { throwIfNoEntry: false });
    const stats: Stats | undefined = atName(directoryFd, name, look);
    return stats === undefined ? [] : [Object.assign(stats, { name }) as unknown as Dirent];
  });
  return { entries, unnamed: [], truncated: false };
}

/** The names with a leading dot, ignore files among them. In byte order they come before `/`. */
function dotNames({ entries }: DirectoryListing): string[] {
  const names: string[] = [];
  for (const { name } of entries) {
    if (name > '/') break;
    if (name.startsWith('.')) names.push(name);
  }
  return names;
}

/**
 * The entries below a place, depth first, in byte order of names; of a file, itself.
 * Directories are listed only where `include` is empty.
 *
 * @param onUnnamed called with names that are left out because no path can express them
 * @param indexed the only entries that there can be; all are looked at when absent
 * @throws {HostFailure} `limit` when all paths together have more than 16 Mi characters
 */
export function walkTree(
  place: SearchPlace,
  options: WalkOptions,
  onUnnamed: (count: number) => void = () => {},
  indexed?: Candidates,
): { entries: Entry[]; unsearched: Unsearched | undefined; notRead: NotRead[] | undefined } {
  const missed = createNotReadSum();
  const onUnread = (path: string): void => missed.add(unreadable, place.shownPath(path));
  const entries: Entry[] = [];
  let charactersLeft: number = fsLimits.walkCharacters;
  const cut = visitTree({
    ...place,
    options,
    onUnnamed,
    namesIn: indexed && namesOnWay(indexed),
    onUnread,
    visit: ({ fd }, name, path) => {
      const stats = lookAt(fd, name, () => onUnread(path));
      if (stats === undefined) return true;
      const shown = place.shownPath(path);
      charactersLeft -= shown.length;
      if (charactersLeft < 0) {
        const text = `the paths have more than ${fsLimits.walkCharacters} characters; walk less`;
        throw new HostFailure('limit', text);
      }
      entries.push(createEntry(shown, stats));
      return true;
    },
  });
  const unsearched = cut && { ...cut, path: place.shownPath(cut.path) };
  return { entries, unsearched, notRead: missed.list() };
}
