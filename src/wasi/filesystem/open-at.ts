import { type BigIntStats, readSync } from 'node:fs';
import { isUnwritablePath } from '../../contracts/protected-names.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { wasiLimits } from '../gate-ports.ts';
import { flagOf } from '../resource.ts';
import { failWith } from './error-code.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { directoryOf, type FileHandle, type Handle, type SyncFlags } from './open-files.ts';
import { fileTooLarge, type PendingFile } from './pending-files.ts';
import { type Place, pathOf, resolveAt } from './reach-place.ts';

type OpenFlags = { create: boolean; directory: boolean; exclusive: boolean; truncate: boolean };

type Access = Pick<FileHandle, 'canRead' | 'canWrite' | 'syncFlags'>;

export function openAt(
  context: FilesystemContext,
  from: Handle,
  pathFlags: unknown,
  path: unknown,
  openFlags: unknown,
  flags: unknown,
): Handle {
  const { mustBeDirectory, ...place } = resolveAt(directoryOf(from), path);
  const wanted: OpenFlags = {
    create: flagOf(openFlags, 'create'),
    directory: flagOf(openFlags, 'directory') || mustBeDirectory,
    exclusive: flagOf(openFlags, 'exclusive'),
    truncate: flagOf(openFlags, 'truncate'),
  };
  const canWrite = flagOf(flags, 'write');
  const canRead = flagOf(flags, 'read') || !canWrite;
  if (canWrite || wanted.create || wanted.truncate) {
    const access = { canRead, canWrite, ...syncFlagsOf(flags) };
    return openToWrite(context, place, wanted, access);
  }
  return openToRead(context, place, wanted.directory, flagOf(pathFlags, 'symlinkFollow'));
}

function syncFlagsOf(flags: unknown): { syncFlags?: SyncFlags } {
  const syncFlags = {
    fileIntegritySync: flagOf(flags, 'fileIntegritySync'),
    dataIntegritySync: flagOf(flags, 'dataIntegritySync'),
    requestedWriteSync: flagOf(flags, 'requestedWriteSync'),
  };
  return Object.values(syncFlags).includes(true) ? { syncFlags } : {};
}

function openToRead(
  context: FilesystemContext,
  place: Place,
  mustBeDirectory: boolean,
  follow: boolean,
): Handle {
  const { reach, journal, pending, files } = context;
  const file = pending.find(place);
  if (file !== undefined) {
    if (mustBeDirectory) throw failWith('not-directory');
    journal.noteLookup(place);
    return handleOf(file, { canRead: true, canWrite: false });
  }
  journal.noteLookup(place);
  if (!follow && reach.look(place, false).stats.isSymbolicLink()) throw failWith('loop');
  const opened = reach.open(place);
  if (opened.stats.isFile() && !mustBeDirectory) {
    const entry = noted(opened, () => journal.note('fs.read-bytes', place));
    const open = files.add(opened, entry);
    return { kind: 'file', place, open, pending: undefined, canRead: true, canWrite: false };
  }
  opened[Symbol.dispose]();
  if (opened.stats.isDirectory()) return { kind: 'directory', place };
  throw failWith(mustBeDirectory ? 'not-directory' : 'unsupported');
}

/** Closes everything when the gate says no. */
function noted<T>(opened: Disposable, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    opened[Symbol.dispose]();
    throw thrown;
  }
}

function openToWrite(
  context: FilesystemContext,
  place: Place,
  wanted: OpenFlags,
  access: Access,
): FileHandle {
  const { ports, journal, pending } = context;
  if (wanted.directory) throw failWith('is-directory');
  ports.admit('fs-write', 'fs-write.write-bytes');
  // The kernel says so, too, but only once the file is written.
  if (isUnwritablePath(place.segments.join('/')))
    throw new HostFailure('denied', `path ${pathOf(place)} is a protected file`);
  context.requireWritable(place);
  journal.noteLookup(place);
  const open = pending.find(place);
  if (open !== undefined) {
    if (wanted.exclusive) throw failWith('exist');
    if (wanted.truncate) {
      open.bytes.setSize(0);
      pending.change(open);
    }
    return handleOf(open, access);
  }
  const stats = statsOnDisk(context, place, wanted);
  if (stats === undefined) return handleOf(pending.open(place, undefined, {}), access);
  const before = wanted.truncate ? undefined : readWhole(context, place);
  const known = { identity: context.identities.of(stats), changedNs: stats.mtimeNs };
  return handleOf(pending.open(place, before, known), access);
}

function handleOf(pending: PendingFile, access: Access): FileHandle {
  pending.users += 1;
  return { kind: 'file', place: pending.place, open: undefined, pending, ...access };
}

/** The file to write; undefined when it does not exist and may be made. */
function statsOnDisk(
  { reach }: FilesystemContext,
  place: Place,
  wanted: OpenFlags,
): BigIntStats | undefined {
  const stats = lookOrMissing(() => reach.look(place, false).stats);
  if (stats === undefined) {
    if (!wanted.create) throw failWith('no-entry');
    const parent = reach.look({ ...place, segments: place.segments.slice(0, -1) }, true);
    if (!parent.stats.isDirectory()) throw failWith('not-directory');
    return undefined;
  }
  if (wanted.create && wanted.exclusive) throw failWith('exist');
  if (stats.isDirectory()) throw failWith('is-directory');
  // No link is written through, not even one that stays inside.
  if (stats.isSymbolicLink()) throw failWith('access');
  if (!stats.isFile()) throw failWith('unsupported');
  return stats;
}

/** The result of a look, undefined for a missing file; other failures are thrown. */
export function lookOrMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function isMissing(thrown: unknown): boolean {
  if (thrown instanceof HostFailure) return thrown.payload.tag === 'not-found';
  return (thrown as { code?: unknown }).code === 'ENOENT';
}

/** All bytes of a file that is to be changed; as many as may be written back. */
export function readWhole({ reach, journal }: FilesystemContext, place: Place): Uint8Array {
  const entry = journal.note('fs.read-bytes', place);
  using opened = reach.open(place);
  if (opened.stats.size > wasiLimits.fileBytes) throw fileTooLarge(opened.stats.size);
  const bytes = new Uint8Array(opened.stats.size);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(opened.fd, bytes, filled, bytes.length - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  entry.bytes = filled;
  return bytes.subarray(0, filled);
}
