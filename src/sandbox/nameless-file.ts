import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** O_TMPFILE without the O_DIRECTORY that it is used with; the same on every Linux. */
const withoutName = 0o20000000;
/** In memory, so that no byte of it reaches a disk. */
const folder = '/dev/shm';

/** Two descriptors of one file that has no name and is gone with the last of them. */
export type NamelessFile = {
  writing: number;
  /** reads from the beginning, and cannot write */
  reading: number;
};

/** Undefined where the system has no such files. */
export function openNameless(): NamelessFile | undefined {
  if (process.platform !== 'linux') return undefined;
  let writing: number | undefined;
  try {
    // Without the right to write it cannot be opened again for writing through /proc.
    writing = openSync(folder, constants.O_DIRECTORY | withoutName | constants.O_RDWR, 0o400);
    return { writing, reading: openSync(`/proc/self/fd/${writing}`, constants.O_RDONLY) };
  } catch {
    if (writing !== undefined) closeSync(writing);
    return undefined;
  }
}

/** @throws of the system, as when it is full */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; )
    at += writeSync(descriptor, bytes, at, bytes.byteLength - at);
}

/**
 * Bytes as a descriptor, to be inherited and then closed. Whoever inherits a pipe learns of its end
 * when the kernel comes to say so, and waits as long as the kernel is busy.
 *
 * @returns the bytes themselves where that is not possible: a pipe has to do
 */
export function holdBytes<Bytes extends Uint8Array>(bytes: Bytes): number | Bytes {
  const file = openNameless();
  if (file === undefined) return bytes;
  try {
    writeAll(file.writing, bytes);
    return file.reading;
  } catch {
    closeSync(file.reading);
    return bytes;
  } finally {
    closeSync(file.writing);
  }
}
