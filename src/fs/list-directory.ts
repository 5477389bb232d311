import { type BigIntStats, type Dirent, fstatSync, lstatSync } from 'node:fs';
import { entriesIn } from '../lib/files/raw-fs.ts';
import { unprintablePath } from '../lib/text/escape.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { atName } from '../paths/open-name.ts';
import { HostFailure, isLocalFailure, mayNotBeRead } from '../paths/system-failure.ts';
import type { Entry, Kind } from './fs-types.ts';

/**
 * @param path as it is shown to the guest
 * @param stats as big integers: a number would round the end of a millisecond up to the next
 */
export function createEntry(path: string, stats: BigIntStats): Entry {
  const [size, modifiedMs] = [Number(stats.size), Number(stats.mtimeMs)];
  return { path, kind: kindOf(stats), size, modifiedMs };
}

export function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): Kind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/**
 * Stats of a name below a descriptor, links not followed. Undefined when it went away, or may not
 * be read, which is reported.
 */
export function lookAt(
  directoryFd: number,
  name: string,
  onUnread: () => void = () => {},
): BigIntStats | undefined {
  try {
    return atName(directoryFd, name, (location) => lstatSync(location, { bigint: true }));
  } catch (thrown) {
    if (!isLocalFailure(thrown)) throw thrown;
    if (mayNotBeRead(thrown)) onUnread();
    return undefined;
  }
}

export type DirectoryListing = {
  /** in byte order of their names; names that no path can express are left out */
  entries: readonly Dirent[];
  /** those whose names no path can express, in no order */
  unnamed: readonly Dirent[];
  /** true when the directory holds more than was asked for */
  truncated: boolean;
};

/** Directories up to this size are read at once, which is twice as fast as piece by piece. */
const smallDirectoryBytes = 256 * 1024;

/**
 * A truncated listing holds the entries that the file system gives first.
 *
 * @param bytes size of the directory on its file system; absent: the file system is asked
 */
export function readDirectory(
  directoryFd: number,
  maxEntries: number,
  bytes: number = fstatSync(directoryFd).size,
): DirectoryListing {
  const small = bytes <= smallDirectoryBytes;
  const all = atName(directoryFd, '', (path) =>
    entriesIn(path, small ? undefined : maxEntries + 1),
  );
  const truncated = all.length > maxEntries;
  if (truncated) all.length = maxEntries;
  // Most folders have no unusual name, and sort without a look at bytes.
  if (!all.some((entry) => unusual.test(entry.name))) {
    all.sort((one, other) => (one.name < other.name ? -1 : 1));
    return { entries: all, unnamed: [], truncated };
  }
  const unnamed = all.filter((entry) => unprintablePath.test(entry.name));
  const named = all.filter((entry) => !unprintablePath.test(entry.name));
  return { entries: sortByBytes(named), unnamed, truncated };
}

/** Anything for which the order of UTF-16 units is not the order of bytes, or that is unprintable. */
const unusual = /[^ -[\]-~]/;

function sortByBytes(entries: Dirent[]): Dirent[] {
  return entries
    .map((entry) => ({ entry, bytes: Buffer.from(entry.name) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ entry }) => entry);
}

/**
 * What is in a directory, in byte order of names, links as links.
 *
 * @param shown the guest's path, quoted, for messages
 * @param pathOf the path of an entry, for the guest
 * @param onUnnamed called with names that are left out because no path can express them
 * @throws {HostFailure} `limit` above 10,000 entries
 */
export function listDirectory(
  directoryFd: number,
  shown: string,
  pathOf: (name: string) => string,
  onUnnamed: (count: number) => void = () => {},
): Entry[] {
  const listing = readDirectory(directoryFd, fsLimits.listEntries);
  if (listing.truncated) {
    const text = `directory ${shown} has more than ${fsLimits.listEntries} entries; use walk, which takes a limit`;
    throw new HostFailure('limit', text);
  }
  onUnnamed(listing.unnamed.length);
  return listing.entries.flatMap(({ name }) => {
    const stats = lookAt(directoryFd, name);
    return stats === undefined ? [] : [createEntry(pathOf(name), stats)];
  });
}
