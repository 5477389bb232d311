import { randomBytes } from 'node:crypto';
import { fchmodSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { atName, closeName, newFileFlags, openName } from './open-name.ts';

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
  const partial = `.cuervo-${randomBytes(8).toString('hex')}.part`;
  const fd = openName(directoryFd, partial, newFileFlags, 0o600);
  try {
    try {
      writeFileSync(fd, content.bytes);
      fchmodSync(fd, content.mode);
      fsyncSync(fd);
    } finally {
      closeName(fd);
    }
    place(() => renameName({ fd: directoryFd, name: partial }, { fd: directoryFd, name }));
  } catch (thrown) {
    atName(directoryFd, partial, (location) => rmSync(location, { force: true }));
    throw thrown;
  }
  syncDirectory(directoryFd);
}

/** A name of an open directory: what stands there gets the other one. */
export function renameName(
  from: { fd: number; name: string },
  to: { fd: number; name: string },
): void {
  atName(from.fd, from.name, (source) => {
    atName(to.fd, to.name, (target) => renameSync(source, target));
  });
}

/** So that a change of names outlives a power cut, where the file system can promise that. */
export function syncDirectory(directoryFd: number): void {
  try {
    fsyncSync(directoryFd);
  } catch {
    // The change is made and visible; some file systems sync no directory.
  }
}
