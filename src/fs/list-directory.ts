import { fsLimits } from '../paths/fs-limits.ts';
import { HostFailure } from '../paths/host-failure.ts';
import { createEntry, lookAt } from './create-entry.ts';
import type { Entry } from './fs-types.ts';
import { readDirectory } from './read-directory.ts';

/**
 * What is in a directory, in byte order of names, links as links.
 *
 * @param shown the guest's path, quoted, for messages
 * @param pathOf the path of an entry, for the guest
 * @param onUnnamed called with names that are left out because no path can express them
 * @throws {HostFailure} `limit` above 10,000 entries
 */
export function listDirectory(
  directoryFd: number,
  shown: string,
  pathOf: (name: string) => string,
  onUnnamed: (count: number) => void = () => {},
): Entry[] {
  const listing = readDirectory(directoryFd, fsLimits.listEntries);
  if (listing.truncated) {
    const text = `directory ${shown} has more than ${fsLimits.listEntries} entries; use walk, which takes a limit`;
    throw new HostFailure('limit', text);
  }
  onUnnamed(listing.unnamed.length);
  return listing.entries.flatMap(({ name }) => {
    const stats = lookAt(directoryFd, name);
    return stats === undefined ? [] : [createEntry(pathOf(name), stats)];
  });
}
