import type { BigIntStats, Dirent } from 'node:fs';
import type { PendingFile } from './pending-files.ts';

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
