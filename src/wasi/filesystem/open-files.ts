import { closeSync, readSync } from 'node:fs';
import type { HostCall } from '../../contracts/tool.ts';
import type { Opened } from '../../paths/open-below.ts';
import { wasiLimits } from '../gate-ports.ts';
import type { ByteSink, ByteSource } from '../io/create-io.ts';
import { lengthOf } from '../resource.ts';
import { failWith, guardedStream, LimitReached, type Refusals } from './error-code.ts';
import type { PendingFile, PendingFiles } from './pending-files.ts';
import type { Place } from './reach-place.ts';

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

/** Reading and writing of open files, at once or by streams. */
export type FileStreams = {
  readVia(handle: Handle, offset: unknown): ByteSource;
  /** @param start undefined appends */
  writeVia(handle: Handle, start: number | undefined): ByteSink;
  /** @param offset undefined appends */
  writeTo(handle: Handle, offset: number | undefined, bytes: Uint8Array): void;
  /** A handle that was opened for synchronized writes finds each change on the disk. */
  changed(handle: Handle, file: PendingFile): void;
  sync(handle: Handle): void;
};

export function createFileStreams(pending: PendingFiles, refusals: Refusals): FileStreams {
  function readVia(handle: Handle, offset: unknown): ByteSource {
    const file = readableOf(handle);
    let at = lengthOf(offset, Number.MAX_SAFE_INTEGER);
    file.open?.retain();
    if (file.pending !== undefined) file.pending.users += 1;
    return {
      read: (maxBytes) => {
        const bytes = guardedStream(() => readFrom(file, at, maxBytes), refusals);
        at += bytes.length;
        return bytes.length === 0 ? undefined : bytes;
      },
      close: () => {
        file.open?.release();
        if (file.pending !== undefined) pending.release(file.pending);
      },
    };
  }

  function writeTo(handle: Handle, offset: number | undefined, bytes: Uint8Array): void {
    const file = writableOf(handle);
    file.bytes.write(offset ?? file.bytes.size(), bytes);
    changed(handle, file);
  }

  function changed(handle: Handle, file: PendingFile): void {
    pending.change(file);
    if (handle.kind === 'file' && handle.syncFlags !== undefined) pending.save(file);
  }

  function writeVia(handle: Handle, start: number | undefined): ByteSink {
    const file = writableOf(handle);
    let at = start;
    file.users += 1;
    return {
      write: (bytes) => {
        guardedStream(() => writeTo(handle, at, bytes), refusals);
        if (at !== undefined) at += bytes.length;
      },
      close: () => pending.release(file),
    };
  }

  function sync(handle: Handle): void {
    if (handle.kind === 'directory' || !handle.canWrite || handle.pending === undefined) return;
    pending.save(handle.pending);
  }

  return { readVia, writeVia, writeTo, changed, sync };
}

/** A file that a guest reads, by a descriptor that belongs to it alone. */
export type OpenFile = {
  /** at most `wasiLimits.readBytes`; empty at the end */
  read(offset: number, length: number): Uint8Array;
  fd(): number;
  /** Closed by its last user. */
  retain(): void;
  release(): void;
};

export type OpenFiles = {
  /** Takes ownership of what is opened. */
  add(opened: Opened, entry: HostCall): OpenFile;
  closeAll(): void;
};

/** The descriptors of the system that guests hold, so few that the process keeps some. */
export function createOpenFiles(): OpenFiles {
  const open = new Set<number>();

  function add(opened: Opened, entry: HostCall): OpenFile {
    if (open.size >= wasiLimits.openFiles) {
      opened[Symbol.dispose]();
      throw new LimitReached(
        'insufficient-memory',
        `more than ${wasiLimits.openFiles} files open at once`,
      );
    }
    const { fd } = opened;
    open.add(fd);
    let users = 1;
    let isOpen = true;
    // After `closeAll` the number may belong to another file.
    const check = (): number => {
      if (!isOpen || !open.has(fd)) throw failWith('bad-descriptor');
      return fd;
    };
    return {
      read: (offset, length) => {
        // The buffer is as long as the file, if that is shorter than the read.
        const left = Math.max(opened.stats.size - offset, 4096);
        const buffer = new Uint8Array(Math.min(length, left, wasiLimits.readBytes));
        const count = readSync(check(), buffer, 0, buffer.length, offset);
        entry.bytes = (entry.bytes ?? 0) + count;
        return buffer.subarray(0, count);
      },
      fd: check,
      retain: () => {
        users += 1;
      },
      release: () => {
        users -= 1;
        if (users > 0 || !isOpen) return;
        isOpen = false;
        if (open.delete(fd)) closeSync(fd);
      },
    };
  }

  return {
    add,
    closeAll: () => {
      for (const fd of open) closeSync(fd);
      open.clear();
    },
  };
}
