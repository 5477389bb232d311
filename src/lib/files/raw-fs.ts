import { isUtf8 } from 'node:buffer';
import * as fs from 'node:fs';

/**
 * `node:fs` for names as the file system has them, which are bytes. The strings of Node lose bytes
 * that are not UTF-8, and then name nothing, or another file. Here such a byte is half of a
 * surrogate pair, U+DC80 to U+DCFF, as in `os.fsdecode()` of Python: each name is one string, and
 * each string one name.
 */

/** A name, a path or the target of a link. */
export function fromBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = '';
  for (let rest = bytes; rest.length > 0; ) {
    const length = [1, 2, 3, 4].find((count) => isUtf8(rest.subarray(0, count)));
    text += length ? rest.toString('utf8', 0, length) : String.fromCharCode(0xdc00 + rest[0]!);
    rest = rest.subarray(length ?? 1);
  }
  return text;
}

const lostByte = /([\udc80-\udcff])/u;

export function toBytes(text: string): Buffer {
  // Puts the separator between the parts.
  const parts = text
    .split(lostByte)
    .map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.of(part.charCodeAt(0) - 0xdc00),
    );
  return Buffer.concat(parts);
}

/** What Node opens; nearly every path stays as it is. */
export function rawPath(path: string | Buffer): string | Buffer {
  return typeof path !== 'string' || path.isWellFormed() ? path : toBytes(path);
}

/** For a message: a byte that is not UTF-8 as `\xff`. */
export function showRaw(path: string): string {
  return path.replace(
    /[\udc80-\udcff]/gu,
    (half) => `\\x${(half.charCodeAt(0) - 0xdc00).toString(16)}`,
  );
}

/**
 * What lies in a folder, in the order of the file system.
 *
 * @param most reads no more than that, which takes longer; all of it when absent
 */
export function entriesIn(folder: string | Buffer, most?: number): fs.Dirent[] {
  const entries = readEntries(folder, 'utf8', most);
  // U+FFFD is itself, or stands for bytes.
  if (!entries.some(({ name }) => name.includes('\ufffd'))) return entries;
  const exact = readEntries(folder, 'buffer' as BufferEncoding, most);
  return exact.map((entry) =>
    Object.assign(entry, { name: fromBytes(entry.name as unknown as Buffer) }),
  );
}

function readEntries(
  folder: string | Buffer,
  encoding: BufferEncoding,
  most: number | undefined,
): fs.Dirent[] {
  if (most === undefined) return fs.readdirSync(rawPath(folder), { encoding, withFileTypes: true });
  using directory = fs.opendirSync(rawPath(folder), { encoding, bufferSize: 1024 });
  const entries: fs.Dirent[] = [];
  while (entries.length < most) {
    const entry = directory.readSync();
    if (entry === null) break;
    entries.push(entry);
  }
  return entries;
}

/** Links resolved. */
export function realpathSync(path: string): string {
  return fromBytes(fs.realpathSync.native(rawPath(path), { encoding: 'buffer' }));
}

export function readlinkSync(path: string | Buffer): string {
  return fromBytes(fs.readlinkSync(rawPath(path), { encoding: 'buffer' }));
}

type OfPath = (path: string, ...rest: never[]) => unknown;

function raw<Call extends OfPath>(call: Call): Call {
  return ((path, ...rest) => call(rawPath(path) as string, ...rest)) as Call;
}

export const accessSync = raw(fs.accessSync);
export const chmodSync = raw(fs.chmodSync);
export const existsSync = raw(fs.existsSync);
export const lstatSync = raw(fs.lstatSync);
export const mkdirSync = raw(fs.mkdirSync);
export const statfsSync = raw(fs.statfsSync);
export const statSync = raw(fs.statSync);
