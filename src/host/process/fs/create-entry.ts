import { lstatSync, type Stats } from 'node:fs';
import { atName } from '../../paths/open-name.ts';
import { isLocalFailure } from '../../paths/system-failure.ts';
import type { Entry, Kind } from './fs-types.ts';

/** @param path as it is shown to the guest */
export function createEntry(path: string, stats: Stats): Entry {
  return { path, kind: kindOf(stats), size: stats.size, modifiedMs: Math.trunc(stats.mtimeMs) };
}

export function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): Kind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Stats of a name below a descriptor, links not followed; undefined when it went away. */
export function lookAt(directoryFd: number, name: string): Stats | undefined {
  try {
    return atName(directoryFd, name, (location) => lstatSync(location));
  } catch (thrown) {
    if (!isLocalFailure(thrown)) throw thrown;
    return undefined;
  }
}
