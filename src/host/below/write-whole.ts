import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { below, newFileFlags } from './open-below.ts';

/**
 * Puts a file under a name of an open directory, in one step: a reader, or a crash, sees the
 * old one or the new one. What fails leaves nothing behind.
 *
 * @param place calls the given function, which puts the new file into its place
 */
export function writeWhole(
  directoryFd: number,
  name: string,
  content: { bytes: Uint8Array; mode: number },
  place: (make: () => void) => void,
): void {
  const partial = `${below(directoryFd)}.cuervo-${randomBytes(8).toString('hex')}.part`;
  const fd = openSync(partial, newFileFlags, 0o600);
  try {
    try {
      writeFileSync(fd, content.bytes);
      fchmodSync(fd, content.mode);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    place(() => renameSync(partial, below(directoryFd) + name));
  } catch (thrown) {
    rmSync(partial, { force: true });
    throw thrown;
  }
  syncDirectory(directoryFd);
}

/** So that a change of names outlives a power cut, where the file system can promise that. */
export function syncDirectory(directoryFd: number): void {
  try {
    fsyncSync(directoryFd);
  } catch {
    // The change is made and visible; some file systems sync no directory.
  }
}
