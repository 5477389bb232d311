import { fstatSync, readSync } from 'node:fs';
import { fsLimits } from '../paths/fs-limits.ts';
import { closeName } from '../paths/open-name.ts';
import { isLocalFailure } from '../paths/system-failure.ts';
import { createFileOpener, type Folder } from './open-files.ts';
import type { SearchPlace } from './search-place.ts';

/** Reads many files one after the other into one buffer, which the caller shares. */
export type ContentReader = Disposable & {
  /** the bytes of the last file, and after them one zero */
  buffer: Buffer;
  /**
   * @param name below an open directory, listed as a regular file
   * @returns its length in bytes, -1 when it cannot be read, is over 50 MiB, or holds a NUL
   *   near its start: then it is binary, unless marked as UTF-16
   */
  read(folder: Folder, name: string): number;
};

const firstBytes = 256 * 1024;
const page = 4096;

/** The files below a place. The caller disposes it. */
export function createContentReader(place: SearchPlace): ContentReader {
  const opener = createFileOpener(place);
  const reader: ContentReader = {
    buffer: Buffer.allocUnsafeSlow(firstBytes + 1),
    read: (folder, name) => {
      let fd: number | undefined;
      try {
        fd = opener.open(folder, name);
        return readAll(reader, fd);
      } catch (thrown) {
        if (!isLocalFailure(thrown)) throw thrown;
        return -1;
      } finally {
        if (fd !== undefined) closeName(fd);
      }
    },
    [Symbol.dispose]: () => opener[Symbol.dispose](),
  };
  return reader;
}

function readAll(reader: ContentReader, fd: number): number {
  let length = 0;
  for (;;) {
    const room = reader.buffer.length - 1 - length;
    const count = readSync(fd, reader.buffer, length, room, -1);
    const isFirst = length === 0;
    length += count;
    // Before the rest is read: a large file is a binary more often than not.
    if (isFirst && isBinary(reader.buffer, length)) return -1;
    if (count === room) {
      if (!growFor(reader, fd, length)) return -1;
      continue;
    }
    // Less than was asked for is the end of a regular file. File systems that hand out
    // pieces do so by pages, hence the second look.
    if (count === 0 || length % page !== 0) break;
  }
  reader.buffer[length] = 0;
  return length;
}

/** Looks at 8 KiB, of a large file at all that was read. */
function isBinary(buffer: Buffer, length: number): boolean {
  if (length > 1 && (buffer[0]! ^ buffer[1]!) === 1 && buffer[0]! >= 0xfe) return false;
  const end = length >= firstBytes ? length : Math.min(length, 8192);
  // There is always one byte more. A zero of our own at the end stops the search: to make a view
  // of the part that counts would take longer than to look through it.
  const kept = buffer[end]!;
  buffer[end] = 0;
  const isFound = buffer.indexOf(0) < end;
  buffer[end] = kept;
  return isFound;
}

/** False when the file is too large, or is not a regular file after all. */
function growFor(reader: ContentReader, fd: number, length: number): boolean {
  const stats = fstatSync(fd);
  if (!stats.isFile() || stats.size > fsLimits.fileBytes || length >= fsLimits.fileBytes) {
    return false;
  }
  const room = Math.min(Math.max(stats.size + 1, length * 2), fsLimits.fileBytes + 1);
  const larger = Buffer.allocUnsafeSlow(room + 1);
  reader.buffer.copy(larger, 0, 0, length);
  reader.buffer = larger;
  return true;
}
