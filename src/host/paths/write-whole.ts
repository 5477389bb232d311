import { fchmodSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { atName, closeName, newFileFlags, openName } from './open-name.ts';
import { newPartName } from './part-name.ts';

/**
 * Puts a file under a name of an open directory in one step: a reader, or a crash, sees the old one
 * or the new one. A failure leaves nothing behind.
 *
 * @param check looks once more, right before the new file gets its name
 */
export function writeWhole(
  directoryFd: number,
  name: string,
  content: { bytes: Uint8Array; mode: number },
  check: () => void,
): void {
  const partial = newPartName();
  const fd = openName(directoryFd, partial, newFileFlags, 0o600);
  try {
    try {
      writeFileSync(fd, content.bytes);
      fchmodSync(fd, content.mode);
      fsyncSync(fd);
    } finally {
      closeName(fd);
    }
    check();
    renameName({ fd: directoryFd, name: partial }, { fd: directoryFd, name });
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
