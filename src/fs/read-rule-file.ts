import { fstatSync, lstatSync, readSync } from 'node:fs';
import { fsLimits } from '../paths/fs-limits.ts';
import { atName, closeName, directoryFlags, fileFlags, openName } from '../paths/open-name.ts';
import { isLocalFailure } from '../paths/system-failure.ts';

/** True when a directory holds an entry of that name, of whatever kind. */
export function hasEntry(directoryFd: number, name: string): boolean {
  const look = (location: string | Buffer) => lstatSync(location, { throwIfNoEntry: false });
  return atName(directoryFd, name, look) !== undefined;
}

/**
 * The text of a small file below a directory, links not followed.
 *
 * @param path a name, or names joined by `/`
 * @returns undefined when it is missing, no regular file, or over 1 MiB
 */
export function readRuleFile(directoryFd: number, path: string): string | undefined {
  const slash = path.indexOf('/');
  const name = slash < 0 ? path : path.slice(0, slash);
  let fd: number | undefined;
  try {
    fd = openName(directoryFd, name, slash < 0 ? fileFlags : directoryFlags);
    return slash < 0 ? readSmall(fd) : readRuleFile(fd, path.slice(slash + 1));
  } catch (thrown) {
    if (!isLocalFailure(thrown)) throw thrown;
    return undefined;
  } finally {
    if (fd !== undefined) closeName(fd);
  }
}

function readSmall(fd: number): string | undefined {
  const { size } = fstatSync(fd);
  if (size > fsLimits.ignoreFileBytes) return undefined;
  const bytes = Buffer.alloc(size);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, size, 0));
}
