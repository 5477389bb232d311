import {
  accessSync,
  constants,
  fstatSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { sha256 } from '../lib/sha256.ts';
import { decodeText, isUtf16 } from '../lib/text/decode-text.ts';
import { fsLimits } from './fs-limits.ts';
import { isLink, openDirectory } from './open-below.ts';
import { atName, closeName, fileFlags, openName } from './open-name.ts';
import type { GuestPath } from './parse-path.ts';
import { errorCode, HostFailure } from './system-failure.ts';

/** Text of the link under a name of an open directory; undefined for anything else. */
export function readLink(directoryFd: number, name: string): Buffer | undefined {
  try {
    return atName(directoryFd, name, (at) => readlinkSync(at, { encoding: 'buffer' }));
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'EINVAL' || code === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** The part of some bytes in which words are counted: UTF-8, with one zero behind its end. */
export type TalliedText = { bytes: Buffer; start: number; end: number };

/**
 * The text of a file for counting words: without its byte order mark, UTF-16 as UTF-8.
 *
 * @param bytes the file in its first `length` bytes, and one zero after them
 * @returns undefined for a file that is empty, binary or over 2 MiB
 */
export function talliedText(bytes: Buffer, length: number): TalliedText | undefined {
  if (length <= 0 || length > fsLimits.tallyFileBytes) return undefined;
  if (isUtf16(bytes, length)) return textOfUtf16(bytes, length);
  if (bytes.subarray(0, length).includes(0)) return undefined;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { bytes, start: isMarked ? 3 : 0, end: length };
}

function textOfUtf16(wide: Buffer, length: number): TalliedText | undefined {
  const bytes = Buffer.from(`${decodeText(wide, length)}\0`);
  const end = bytes.indexOf(0);
  return end === 0 || end < bytes.length - 1 ? undefined : { bytes, start: 0, end };
}

/** Over 500 bytes a line: minified, or data. */
export function hasLongLines(length: number, lines: number): boolean {
  return length / lines > fsLimits.tallyMeanLineBytes;
}

/** A regular file as it is before it is changed. */
export type PresentFile = { stats: Stats; bytes: Uint8Array; hash: string };

/** The entry of a name in an open directory; undefined when there is none. Links are refused. */
export function lookAtName(path: GuestPath, directoryFd: number, name: string): Stats | undefined {
  const stats = atName(directoryFd, name, (location) =>
    lstatSync(location, { throwIfNoEntry: false }),
  );
  if (stats?.isSymbolicLink()) throw isLink(path);
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return stats;
  throw new HostFailure('invalid', `path ${path.shown} is not a regular file`);
}

/**
 * The mode of a file that its user may not write, as `0444`; undefined for any other. The system
 * does not check this when a file is replaced: that needs only rights on its folder. Root may write
 * everything; for root a file is read-only if its mode lets nobody write.
 *
 * @param stats of a file, as `lookAtName` gives them
 */
export function readOnlyMode(directoryFd: number, name: string, stats: Stats): string | undefined {
  const isWritable = process.getuid?.() === 0 ? (stats.mode & 0o222) !== 0 : mayWrite();
  return isWritable ? undefined : (stats.mode & 0o777).toString(8).padStart(4, '0');

  function mayWrite(): boolean {
    try {
      atName(directoryFd, name, (location) => accessSync(location, constants.W_OK));
      return true;
    } catch (thrown) {
      // The change itself reports other obstacles, such as a mount.
      return errorCode(thrown) !== 'EACCES';
    }
  }
}

/**
 * The whole file, to be kept before it goes.
 *
 * @throws {HostFailure} `invalid` for what is not a file, `limit` above `fsLimits.fileBytes`
 */
export function readPresent(
  path: GuestPath,
  directoryFd: number,
  name: string,
): PresentFile | undefined {
  const found = lookAtName(path, directoryFd, name);
  if (found === undefined) return undefined;
  if (found.isDirectory()) {
    throw new HostFailure('invalid', `path ${path.shown} is a directory`);
  }
  const fd = openName(directoryFd, name, fileFlags);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) {
      throw new HostFailure('invalid', `path ${path.shown} is not a regular file`);
    }
    if (stats.size > fsLimits.fileBytes) {
      const text = `path ${path.shown} has ${stats.size} bytes, limit ${fsLimits.fileBytes} to keep a copy for undo, so it is not changed`;
      throw new HostFailure('limit', text);
    }
    const bytes = readFileSync(fd);
    return { stats, bytes, hash: sha256(bytes) };
  } finally {
    closeName(fd);
  }
}

/**
 * Looks once more, right before a name is changed.
 *
 * @throws {HostFailure} `conflict` when another one stands there now
 */
export function expectSame(
  path: GuestPath,
  directoryFd: number,
  name: string,
  before: Pick<PresentFile, 'stats'> | undefined,
): void {
  const now = lookAtName(path, directoryFd, name);
  const then = before?.stats;
  const same =
    now === undefined || then === undefined
      ? now === then
      : now.ino === then.ino &&
        now.dev === then.dev &&
        now.size === then.size &&
        now.mtimeMs === then.mtimeMs;
  if (!same) throw new HostFailure('conflict', `path ${path.shown} was changed during the call`);
}

/** The thing at a path, with everything that an undo of its change needs. */
export type Present =
  | { kind: 'absent' }
  | { kind: 'directory'; mode: number }
  | { kind: 'file'; file: PresentFile }
  | { kind: 'link'; target: Buffer };

/**
 * @throws {HostFailure} `denied` where a link stands on the way, `invalid` for a socket and the
 *   like, `limit` for a file that is too large to be kept
 */
export function presentAt(path: GuestPath): Present {
  const name = path.segments.at(-1) ?? '';
  try {
    using parent = openDirectory(path, path.segments.slice(0, -1));
    const target = readLink(parent.fd, name);
    if (target !== undefined) return { kind: 'link', target };
    const stats = lookAtName(path, parent.fd, name);
    if (stats?.isDirectory()) return { kind: 'directory', mode: stats.mode & 0o777 };
    const file = stats && readPresent(path, parent.fd, name);
    return file === undefined ? { kind: 'absent' } : { kind: 'file', file };
  } catch (thrown) {
    // A file in place of a folder has nothing below it.
    const isMissing = /^(?:ENOENT|ENOTDIR)$/.test(errorCode(thrown) ?? '');
    if (isMissing && !(thrown instanceof HostFailure)) return { kind: 'absent' };
    throw thrown;
  }
}
