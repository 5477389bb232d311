import { accessSync, constants, fstatSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { sha256 } from '../lib/sha256.ts';
import { fsLimits } from './fs-limits.ts';
import { HostFailure } from './host-failure.ts';
import { isLink } from './open-directory.ts';
import { atName, closeName, fileFlags, openName } from './open-name.ts';
import type { GuestPath } from './parse-path.ts';
import { errorCode } from './system-failure.ts';

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
 * The mode of a file that its user may not write, as `0444`; undefined for any other. Replacing it
 * needs the rights of its folder alone, so nobody else looks. Root may write everything: there the
 * file is read-only when its mode lets nobody write.
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
