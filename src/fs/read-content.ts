import { isUtf8 } from 'node:buffer';
import { fstatSync, readSync } from 'node:fs';
import { binaryKind, unreadable } from '../contracts/not-read.ts';
import { fsLimits } from '../paths/fs-limits.ts';
import { closeName } from '../paths/open-name.ts';
import { HostFailure, isLocalFailure, mayNotBeRead } from '../paths/system-failure.ts';
import type { TextFile } from './fs-types.ts';
import type { SearchPlace } from './glob-filter.ts';
import { createFileOpener, type Folder } from './open-files.ts';
import { checkNumber } from './work-within.ts';

/**
 * A part of a file; shorter than asked at its end, empty behind it.
 *
 * @param size of the file in bytes; it bounds the allocation, whatever length the guest asks for
 * @param length cut to 4 MiB
 */
export function readBytes(fd: number, size: number, offset: number, length: number): Uint8Array {
  const start = checkNumber('offset', offset, 0, Number.MAX_SAFE_INTEGER);
  const wanted = checkNumber('length', length, 0, fsLimits.readBytesLength);
  const bytes = new Uint8Array(Math.max(0, Math.min(wanted, size - start)));
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

const chunkBytes = 1024 * 1024;

/**
 * The start of a UTF-8 file, byte order mark and line ends as they are, and the hash of all
 * of it.
 *
 * @param maxBytes cut to 8 MiB; the text ends before the character that would pass it
 * @param shown the guest's path, quoted
 * @throws {HostFailure} `limit` above 50 MiB; `invalid` when what is returned is not UTF-8
 *   text or holds a NUL
 */
export function readText(fd: number, size: number, maxBytes: number, shown: string): TextFile {
  const wanted = checkNumber('max-bytes', maxBytes, 0, fsLimits.readTextBytes);
  if (size > fsLimits.fileBytes) throw tooLarge(shown, size);
  // Taken when first needed: loading it is a tenth of the start of a plugin process.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafeSlow(chunkSize(size - total));
    const count = readSync(fd, chunk, 0, chunk.length, -1);
    if (count === 0) break;
    total += count;
    if (total > fsLimits.fileBytes) throw tooLarge(shown, total);
    hash.update(chunk.subarray(0, count));
    // One byte more than wanted tells whether the cut is in the middle of a character.
    const part = chunk.subarray(0, Math.min(count, wanted + 1 - keptBytes));
    if (part.length > 0) kept.push(part);
    keptBytes += part.length;
  }
  const bytes = Buffer.concat(kept);
  const truncated = total > wanted;
  const text = truncated ? bytes.subarray(0, characterStart(bytes, wanted)) : bytes;
  if (isPdf(text)) throw new HostFailure('invalid', `path ${shown} is a PDF, not a text`);
  if (!isUtf8(text)) throw new HostFailure('invalid', `path ${shown} is not a UTF-8 text`);
  if (text.includes(0)) {
    throw new HostFailure('invalid', `path ${shown} is not a UTF-8 text: it holds a NUL`);
  }
  return { text: text.toString(), hash: hash.digest('hex'), truncated };
}

/** Small files are read in one piece, whose last byte stays empty. */
function chunkSize(left: number): number {
  return left > 0 ? Math.min(left + 1, chunkBytes) : 4096;
}

/** The largest offset up to `limit` that is not a continuation byte; at most three bytes back. */
function characterStart(bytes: Buffer, limit: number): number {
  let at = limit;
  while (at > 0 && at > limit - 4 && (bytes[at]! & 0xc0) === 0x80) at -= 1;
  return at;
}

function tooLarge(shown: string, size: number): HostFailure {
  const text = `path ${shown} has ${size} bytes, limit ${fsLimits.fileBytes}`;
  return new HostFailure('limit', text);
}

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
  /** why the last file gave -1, where it is there: a kind of `NotRead` */
  missed: string | undefined;
};

const firstBytes = 256 * 1024;
const page = 4096;

/** The files below a place. The caller disposes it. */
export function createContentReader(place: SearchPlace): ContentReader {
  const opener = createFileOpener(place);
  const reader: ContentReader = {
    buffer: Buffer.allocUnsafeSlow(firstBytes + 1),
    missed: undefined,
    read: (folder, name) => {
      reader.missed = undefined;
      let fd: number | undefined;
      try {
        fd = opener.open(folder, name);
        const length = asText(reader, name, readAll(reader, fd));
        if (length < 0) reader.missed ??= binaryKind(name);
        return length;
      } catch (thrown) {
        if (!isLocalFailure(thrown)) throw thrown;
        if (mayNotBeRead(thrown)) reader.missed = unreadable;
        return -1;
      } finally {
        if (fd !== undefined) closeName(fd);
      }
    },
    [Symbol.dispose]: () => opener[Symbol.dispose](),
  };
  return reader;
}

/** A notebook as the text that its cells show. */
function asText(reader: ContentReader, name: string, length: number): number {
  if (length < 0 || !/\.ipynb$/i.test(name)) return length;
  const text = notebookText(reader.buffer.toString('utf8', 0, length));
  if (text === undefined) return length;
  reader.buffer = Buffer.from(`${text}\0`);
  return reader.buffer.length - 1;
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
    // A short read means the end of a regular file. Some file systems read page by page, so a whole
    // number of pages is read on.
    if (count === 0 || length % page !== 0) break;
  }
  reader.buffer[length] = 0;
  return length;
}

/** A PDF may begin with many lines of text that mean nothing to people. */
function isPdf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46;
}

/** Looks at 8 KiB, of a large file at all that was read. */
function isBinary(buffer: Buffer, length: number): boolean {
  if (length > 1 && (buffer[0]! ^ buffer[1]!) === 1 && buffer[0]! >= 0xfe) return false;
  if (isPdf(buffer)) return true;
  const end = length >= firstBytes ? length : Math.min(length, 8192);
  // The buffer has one byte more. A zero written there stops the search; a view of the part that
  // counts would take longer to make than to search.
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
    reader.missed = 'over 50 MiB';
    return false;
  }
  const room = Math.min(Math.max(stats.size + 1, length * 2), fsLimits.fileBytes + 1);
  const larger = Buffer.allocUnsafeSlow(room + 1);
  reader.buffer.copy(larger, 0, 0, length);
  reader.buffer = larger;
  return true;
}

/** Characters of a line that people write; longer ones hold pictures. */
const maxLineLength = 4_000;

/** Brackets, and values that are no lines of a cell or of what it printed. */
const layout = /^\s*(?:"(?:[^"\\]|\\.)*": |[[\]{}]+,?\s*$)/;

type Cell = { source?: unknown };

/**
 * A Jupyter notebook as text: a line of source as the cell shows it, in the place that it has in the
 * file as Jupyter writes it; pictures, brackets and settings are empty lines. The SDK has the same function.
 *
 * @returns undefined for what is no notebook
 */
export function notebookText(json: string): string | undefined {
  let value: { cells?: unknown };
  try {
    value = JSON.parse(json) as typeof value;
  } catch {
    return undefined;
  }
  if (!Array.isArray(value?.cells)) return undefined;
  const cells = value.cells as Cell[];
  const lines = json.split('\n');
  const least = cells.reduce(
    (sum, { source }) => sum + (Array.isArray(source) ? source.length : 0),
    0,
  );
  const isUsual = lines.length > least && !cells.some(({ source }) => typeof source === 'string');
  const laid = isUsual ? lines : JSON.stringify(value, asJupyter, 1).split('\n');
  return laid.map(plainLine).join('\n');
}

/** A source may be one text; Jupyter writes a list of lines. */
function asJupyter(key: string, value: unknown): unknown {
  if (key !== 'source' || typeof value !== 'string') return value;
  return value.split(/(?<=\n)/);
}

function plainLine(line: string): string {
  if (line.length > maxLineLength) return '';
  const [, text] = /^\s*("(?:[^"\\]|\\.)*"),?\s*$/.exec(line) ?? [];
  if (text === undefined) return layout.test(line) ? '' : line;
  try {
    return (JSON.parse(text) as string).replace(/\r?\n$/, '').replaceAll('\n', ' ');
  } catch {
    return line;
  }
}
