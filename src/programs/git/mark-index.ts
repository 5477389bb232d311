import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { makeHeldFolder } from '../../lib/files/lock-file.ts';
import { fromBytes } from '../../lib/files/raw-fs.ts';

/** A folder for copies of indexes, removed when it is disposed. */
export type IndexFolder = Disposable & { path: string };

/**
 * Makes a folder that belongs to this process, and removes those that killed ones left behind.
 *
 * @param parent made where it is missing; no plugin can be granted it
 */
export function makeIndexFolder(parent: string): IndexFolder {
  const path = makeHeldFolder(parent, 'index');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** One file as the index of git knows it, gitformat-index(5). */
export type IndexEntry = {
  /** relative to the work tree; as `fromBytes()` has it */
  path: string;
  /** as `st_mode`: 100644, 100755, 120000 */
  mode: number;
  /** when it was last looked at */
  mtimeSeconds: number;
  mtimeNanoseconds: number;
  ino: number;
  size: number;
  /** of the blob, hex */
  oid: string;
  /** that makes it */
  algorithm: 'sha1' | 'sha256';
};

const headerBytes = 12;
const statBytes = 40;
/** The hash by which a repository names its objects, and the length of a name. */
const algorithms = [
  { algorithm: 'sha1', oidBytes: 20 },
  { algorithm: 'sha256', oidBytes: 32 },
] as const;
/** The algorithm of the sum at the end of an index is also that of its names. */
type Algorithm = (typeof algorithms)[number];
const assumeValid = 0x8000;
const extended = 0x4000;
const stageMask = 0x3000;
/** Bytes of a name; PATH_MAX of Linux. */
const maxNameBytes = 4096;

/**
 * A copy of an index in which some entries count as unchanged whatever stands in the work tree,
 * as `git update-index --assume-unchanged` has it.
 *
 * @param index of version 2 to 4
 * @param isMarked told each entry that is in no conflict
 * @returns undefined where no entry is marked, or the index cannot be read
 */
export function markIndex(
  index: Buffer,
  isMarked: (entry: IndexEntry) => boolean,
): Buffer | undefined {
  if (index.length < headerBytes || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  const names = algorithms.find((each) => sumOf(index, each).equals(endOf(index, each)));
  if (version < 2 || version > 4 || names === undefined) return undefined;
  const { oidBytes } = names;
  const copy = Buffer.from(index);
  let isChanged = false;
  let name: Buffer = Buffer.alloc(0);
  let lastStage = 0;
  let at = headerBytes;
  for (let count = index.readUInt32BE(8); count > 0; count -= 1) {
    const flagsAt = at + statBytes + oidBytes;
    const flags = index.readUInt16BE(flagsAt);
    const nameAt = flagsAt + 2 + ((flags & extended) === 0 ? 0 : 2);
    const read = version === 4 ? readShortened(index, nameAt, name) : readName(index, at, nameAt);
    const stage = flags & stageMask;
    // Each name once and in order, as git has them: what repeats would be looked at without an end.
    const order = Buffer.compare(name, read?.name ?? name);
    if (read === undefined || order > 0 || (order === 0 && stage <= lastStage)) return undefined;
    name = read.name;
    lastStage = stage;
    const entry = stage === 0 ? entryAt(index, at, name, names) : undefined;
    if (entry !== undefined && isMarked(entry)) {
      copy.writeUInt16BE(flags | assumeValid, flagsAt);
      isChanged = true;
    }
    at = read.next;
  }
  if (!isChanged) return undefined;
  sumOf(copy, names).copy(endOf(copy, names));
  return copy;
}

function sumOf(index: Buffer, { algorithm, oidBytes }: Algorithm): Buffer {
  return createHash(algorithm).update(index.subarray(0, -oidBytes)).digest();
}

function endOf(index: Buffer, { oidBytes }: Algorithm): Buffer {
  return index.subarray(-oidBytes);
}

/** Undefined where no name ends. */
type ReadName = { name: Buffer; next: number } | undefined;

function endOfName(index: Buffer, nameAt: number): number {
  const length = index.subarray(nameAt, nameAt + maxNameBytes + 1).indexOf(0);
  return length < 0 ? -1 : nameAt + length;
}

/** Behind the name one to eight NULs, up to a multiple of eight bytes. */
function readName(index: Buffer, entryAt: number, nameAt: number): ReadName {
  const end = endOfName(index, nameAt);
  if (end < 0) return undefined;
  const next = entryAt + ((end - entryAt + 8) & ~7);
  return { name: Buffer.from(index.subarray(nameAt, end)), next };
}

/** Says how many bytes of the name before are dropped, and what follows instead. */
function readShortened(index: Buffer, nameAt: number, before: Buffer): ReadName {
  let at = nameAt;
  let byte = index[at] ?? 0;
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = index[at] ?? 0;
    dropped = (dropped + 1) * 128 + (byte & 0x7f);
  }
  const end = endOfName(index, at + 1);
  if (end < 0 || dropped > before.length) return undefined;
  const kept = before.subarray(0, before.length - dropped);
  const name = Buffer.concat([kept, index.subarray(at + 1, end)]);
  return name.length > maxNameBytes ? undefined : { name, next: end + 1 };
}

function entryAt(
  index: Buffer,
  at: number,
  name: Buffer,
  { algorithm, oidBytes }: Algorithm,
): IndexEntry {
  const number = (offset: number): number => index.readUInt32BE(at + offset);
  return {
    path: fromBytes(name),
    mode: number(24),
    mtimeSeconds: number(8),
    mtimeNanoseconds: number(12),
    ino: number(20),
    size: number(36),
    oid: index.toString('hex', at + statBytes, at + statBytes + oidBytes),
    algorithm,
  };
}
