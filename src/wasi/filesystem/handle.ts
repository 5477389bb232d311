import { failWith } from './error-code.ts';
import type { OpenFile } from './open-files.ts';
import type { PendingFile } from './pending-files.ts';
import type { Place } from './resolve-at.ts';

/**
 * The target of a descriptor. A directory is remembered by its place and found again below its root
 * by each function: no descriptor of the system is held for it.
 */
export type DirectoryHandle = { kind: 'directory'; place: Place };
export type FileHandle = {
  kind: 'file';
  place: Place;
  /** the file on the disk, when it is only read */
  open: OpenFile | undefined;
  /** the file in memory, when it, or another descriptor of it, is written */
  pending: PendingFile | undefined;
  canRead: boolean;
  canWrite: boolean;
  /** what the guest asked for when it opened it: each change goes to the disk at once */
  syncFlags?: SyncFlags;
};
export type SyncFlags = {
  fileIntegritySync: boolean;
  dataIntegritySync: boolean;
  requestedWriteSync: boolean;
};
export type Handle = DirectoryHandle | FileHandle;

export function directoryOf(handle: Handle): Place {
  if (handle.kind === 'directory') return handle.place;
  throw failWith('not-directory');
}

export function readableOf(handle: Handle): FileHandle {
  if (handle.kind === 'directory') throw failWith('is-directory');
  if (!handle.canRead) throw failWith('bad-descriptor');
  return handle;
}

/** The file in memory, to be written. */
export function writableOf(handle: Handle): PendingFile {
  if (handle.kind === 'directory') throw failWith('is-directory');
  if (!handle.canWrite || handle.pending === undefined) throw failWith('bad-descriptor');
  return handle.pending;
}

/** At most `length` bytes of a file, wherever it is; empty at its end. */
export function readFrom(handle: FileHandle, offset: number, length: number): Uint8Array {
  if (handle.pending !== undefined) return handle.pending.bytes.read(offset, length);
  if (handle.open === undefined) throw failWith('bad-descriptor');
  return handle.open.read(offset, length);
}
