import { fchmodSync, fstatSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { atName, closeName, newFileFlags, newFileMode, openName } from './open-name.ts';
import { newPartName } from './parse-path.ts';

/**
 * Puts a file under a name of an open directory in one step: a reader, or a crash, sees the old one
 * or the new one. A failure leaves nothing behind.
 *
 * @param content.mode exact; a new file has none, and gets what the umask and the folder leave of
 *   `newFileMode`
 * @param check looks once more, right before the new file gets its name
 * @returns the permission bits of the file
 */
export function writeWhole(
  directoryFd: number,
  name: string,
  content: { bytes: Uint8Array; mode?: number | undefined },
  check: () => void,
): number {
  const partial = newPartName();
  const { mode } = content;
  const fd = openName(directoryFd, partial, newFileFlags, mode === undefined ? newFileMode : 0o600);
  let given: number;
  try {
    try {
      writeFileSync(fd, content.bytes);
      if (mode !== undefined) fchmodSync(fd, mode);
      given = fstatSync(fd).mode & 0o777;
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
  return given;
}

/** Renames an entry of an open directory. */
export function renameName(
  from: { fd: number; name: string },
  to: { fd: number; name: string },
): void {
  atName(from.fd, from.name, (source) => {
    atName(to.fd, to.name, (target) => renameSync(source, target));
  });
}

/** Makes a change of names outlive a power cut, where the file system can promise that. */
export function syncDirectory(directoryFd: number): void {
  try {
    fsyncSync(directoryFd);
  } catch {
    // The change is made and visible; some file systems sync no directory.
  }
}
