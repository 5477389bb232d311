import { lengthOf } from '../guest-argument.ts';
import type { WasiIo } from '../io/create-io.ts';
import { guardedStream, type Refusals } from './error-code.ts';
import { type Handle, readableOf, readFrom, writableOf } from './handle.ts';
import type { PendingFile, PendingFiles } from './pending-files.ts';

/** Reading and writing of open files, at once or by streams. */
export type FileStreams = {
  /** @returns an input stream */
  readVia(handle: Handle, offset: unknown): object;
  /**
   * @param start undefined appends
   * @returns an output stream
   */
  writeVia(handle: Handle, start: number | undefined): object;
  /** @param offset undefined appends */
  writeTo(handle: Handle, offset: number | undefined, bytes: Uint8Array): void;
  /** A handle that was opened for synchronized writes finds each change on the disk. */
  changed(handle: Handle, file: PendingFile): void;
  sync(handle: Handle): void;
};

export function createFileStreams(
  io: WasiIo,
  pending: PendingFiles,
  refusals: Refusals,
): FileStreams {
  function readVia(handle: Handle, offset: unknown): object {
    const file = readableOf(handle);
    let at = lengthOf(offset, Number.MAX_SAFE_INTEGER);
    file.open?.retain();
    if (file.pending !== undefined) file.pending.users += 1;
    return io.input({
      read: (maxBytes) => {
        const bytes = guardedStream(() => readFrom(file, at, maxBytes), refusals);
        at += bytes.length;
        return bytes.length === 0 ? undefined : bytes;
      },
      close: () => {
        file.open?.release();
        if (file.pending !== undefined) pending.release(file.pending);
      },
    });
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

  function writeVia(handle: Handle, start: number | undefined): object {
    const file = writableOf(handle);
    let at = start;
    file.users += 1;
    return io.output({
      write: (bytes) => {
        guardedStream(() => writeTo(handle, at, bytes), refusals);
        if (at !== undefined) at += bytes.length;
      },
      close: () => pending.release(file),
    });
  }

  function sync(handle: Handle): void {
    if (handle.kind === 'directory' || !handle.canWrite || handle.pending === undefined) return;
    pending.save(handle.pending);
  }

  return { readVia, writeVia, writeTo, changed, sync };
}
