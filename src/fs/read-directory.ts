import { type Dirent, fstatSync } from 'node:fs';
import { entriesIn } from '../lib/files/raw-fs.ts';
import { unspeakable } from '../lib/text/unspeakable.ts';
import { atName } from '../paths/open-name.ts';

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
 * @param bytes that the list takes on its file system; it is asked when absent
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
  const unnamed = all.filter((entry) => unspeakable.test(entry.name));
  const named = all.filter((entry) => !unspeakable.test(entry.name));
  return { entries: sortByBytes(named), unnamed, truncated };
}

/** Anything for which the order of UTF-16 units is not the order of bytes, or unspeakable. */
const unusual = /[^ -[\]-~]/;

function sortByBytes(entries: Dirent[]): Dirent[] {
  return entries
    .map((entry) => ({ entry, bytes: Buffer.from(entry.name) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ entry }) => entry);
}
