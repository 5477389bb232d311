import { type Dirent, fstatSync, opendirSync, readdirSync } from 'node:fs';
import { unspeakable } from '../../../lib/unspeakable.ts';
import { atName } from '../../below/open-name.ts';

export type DirectoryListing = {
  /** in byte order of their names; names that no path can express are left out */
  entries: readonly Dirent[];
  /** how many names no path can express */
  unnamed: number;
  /** true when the directory holds more than was asked for */
  truncated: boolean;
};

/** Directories up to this size are read at once, which is twice as fast as piece by piece. */
const smallDirectoryBytes = 256 * 1024;

/** Of a truncated listing the entries are those that the file system gives first. */
export function readDirectory(directoryFd: number, maxEntries: number): DirectoryListing {
  const small = fstatSync(directoryFd).size <= smallDirectoryBytes;
  const all = atName(directoryFd, '', (path) =>
    small ? readdirSync(path, { withFileTypes: true }) : readPieces(path, maxEntries + 1),
  );
  const truncated = all.length > maxEntries;
  if (truncated) all.length = maxEntries;
  const { length } = all;
  const entries = sortByName(all);
  return { entries, unnamed: length - entries.length, truncated };
}

function readPieces(path: string, maxEntries: number): Dirent[] {
  using directory = opendirSync(path, { bufferSize: 1024 });
  const entries: Dirent[] = [];
  while (entries.length < maxEntries) {
    const entry = directory.readSync();
    if (entry === null) break;
    entries.push(entry);
  }
  return entries;
}

/** Anything for which the order of UTF-16 units is not the order of bytes, or unspeakable. */
const unusual = /[^ -[\]-~]/;

function sortByName(entries: Dirent[]): Dirent[] {
  if (!entries.some((entry) => unusual.test(entry.name))) {
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  }
  return entries
    .filter((entry) => !unspeakable.test(entry.name))
    .map((entry) => ({ entry, bytes: Buffer.from(entry.name) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ entry }) => entry);
}
