import { type BigIntStats, lstatSync } from 'node:fs';
import { atName } from '../paths/open-name.ts';
import { isLocalFailure } from '../paths/system-failure.ts';
import type { Entry, Kind } from './fs-types.ts';

/**
 * @param path as it is shown to the guest
 * @param stats whole: as a number, the end of a millisecond is the next one
 */
export function createEntry(path: string, stats: BigIntStats): Entry {
  const [size, modifiedMs] = [Number(stats.size), Number(stats.mtimeMs)];
  return { path, kind: kindOf(stats), size, modifiedMs };
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
export function lookAt(directoryFd: number, name: string): BigIntStats | undefined {
  try {
    return atName(directoryFd, name, (location) => lstatSync(location, { bigint: true }));
  } catch (thrown) {
    if (!isLocalFailure(thrown)) throw thrown;
    return undefined;
  }
}
