import { type BigIntStats, type Dirent, fstatSync } from 'node:fs';
import { readDirectory } from '../../fs/list-directory.ts';
import { wasiLimits } from '../gate-ports.ts';
import { flagOf } from '../resource.ts';
import { failWith, LimitReached } from './error-code.ts';
import type { FileIdentities, FilesystemContext } from './filesystem-context.ts';
import { directoryOf, type Handle } from './open-files.ts';
import type { PendingFile } from './pending-files.ts';
import { type Place, resolveAt } from './reach-place.ts';

type Datetime = { seconds: bigint; nanoseconds: number };

/** `descriptor-stat`; the number of links and the time of the last read stay with the host. */
export function statOf(stats: BigIntStats): object {
  const modified = toDatetime(stats.mtimeNs);
  return {
    type: typeOf(stats),
    linkCount: 1n,
    size: stats.size,
    dataAccessTimestamp: modified,
    dataModificationTimestamp: modified,
    statusChangeTimestamp: modified,
  };
}

/** A file that a guest has open for writing, with its written bytes and time. */
export function statOfPending({ bytes, changedNs }: PendingFile): object {
  const modified = toDatetime(changedNs);
  return {
    type: 'regular-file',
    linkCount: 1n,
    size: BigInt(bytes.size()),
    dataAccessTimestamp: modified,
    dataModificationTimestamp: modified,
    statusChangeTimestamp: modified,
  };
}

/** `descriptor-type` of stats or of a directory entry. */
export function typeOf(entry: BigIntStats | Dirent): string {
  if (entry.isFile()) return 'regular-file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symbolic-link';
  if (entry.isFIFO()) return 'fifo';
  if (entry.isSocket()) return 'socket';
  if (entry.isBlockDevice()) return 'block-device';
  return entry.isCharacterDevice() ? 'character-device' : 'unknown';
}

type MetadataHash = { lower: bigint; upper: bigint };

/**
 * Tells files apart; a guest cannot read from it where a file lies. As in other hosts it is the
 * same while a file is written: the adapter for preview 1 makes the number of the inode of it.
 */
export function metadataHash(identity: string): MetadataHash {
  // Taken when first needed, as in `sha256()`.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(identity).digest();
  return { lower: digest.readBigUInt64LE(0), upper: digest.readBigUInt64LE(8) };
}

/** Files from before 1970 are of 1970: there is no negative time in WASI. */
function toDatetime(ns: bigint): Datetime {
  const whole = ns < 0n ? 0n : ns;
  return { seconds: whole / 1_000_000_000n, nanoseconds: Number(whole % 1_000_000_000n) };
}

/** Work on a file on the disk, or on one that is still being written. */
export type Look<T> = {
  stats: (stats: BigIntStats) => T;
  file: (file: PendingFile) => T;
};

export function identifyBy(identities: FileIdentities): Look<string> {
  return { stats: identities.of, file: ({ identity }) => identity };
}

export type FileLooks = {
  /** of an open file or folder */
  lookInto<T>(handle: Handle, look: Look<T>): T;
  lookAtPath<T>(handle: Handle, flags: unknown, path: unknown, look: Look<T>): T;
};

export function createFileLooks({ journal, pending, reach }: FilesystemContext): FileLooks {
  function lookAt<T>(place: Place, follow: boolean, look: Look<T>): T {
    journal.noteLookup(place);
    const file = pending.find(place);
    return file === undefined ? look.stats(reach.look(place, follow).stats) : look.file(file);
  }

  function lookInto<T>(handle: Handle, look: Look<T>): T {
    if (handle.kind === 'directory') return lookAt(handle.place, true, look);
    if (handle.pending !== undefined) return look.file(handle.pending);
    if (handle.open === undefined) throw failWith('bad-descriptor');
    return look.stats(fstatSync(handle.open.fd(), { bigint: true }));
  }

  const lookAtPath = <T>(handle: Handle, flags: unknown, path: unknown, look: Look<T>): T => {
    const { mustBeDirectory, ...place } = resolveAt(directoryOf(handle), path);
    const follow = flagOf(flags, 'symlinkFollow');
    if (!mustBeDirectory) return lookAt(place, follow, look);
    const file = (): never => {
      throw failWith('not-directory');
    };
    const stats = (found: BigIntStats): T => (found.isDirectory() ? look.stats(found) : file());
    return lookAt(place, true, { stats, file });
  };

  return { lookInto, lookAtPath };
}

export type DirectoryEntry = { type: string; name: string };

/** The names of a folder that a program may see. One that is not UTF-8 has halves of surrogate pairs. */
export function listDirectory(
  { journal, pending, reach }: FilesystemContext,
  handle: Handle,
): DirectoryEntry[] {
  const place = directoryOf(handle);
  journal.note('fs.list-dir', place);
  pending.saveAll();
  using directory = reach.open(place);
  if (!directory.stats.isDirectory()) throw failWith('not-directory');
  const listing = readDirectory(directory.fd, wasiLimits.directoryEntries);
  if (listing.truncated) {
    const text = `a directory of more than ${wasiLimits.directoryEntries} entries`;
    throw new LimitReached('quota', text);
  }
  // A program that looks at all it is shown should not stumble over what it may not see.
  const { root } = place;
  const named = listing.unnamed.filter(({ name }) => !name.isWellFormed());
  const shown = [...listing.entries, ...named].filter(
    ({ name }) => !reach.isWithheld({ root, segments: [...directory.resolved, name] }),
  );
  return shown.map((entry) => ({ type: typeOf(entry), name: entry.name }));
}
