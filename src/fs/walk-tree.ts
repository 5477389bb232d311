import { fsLimits } from '../paths/fs-limits.ts';
import { HostFailure } from '../paths/host-failure.ts';
import { createEntry, lookAt } from './create-entry.ts';
import type { Entry, Unsearched, WalkOptions } from './fs-types.ts';
import type { SearchPlace } from './search-place.ts';
import { visitTree } from './visit-tree.ts';

/**
 * The entries below a place, depth first, in byte order of names; of a file, itself.
 * Directories are listed only where `include` is empty.
 *
 * @param onUnnamed called with names that are left out because no path can express them
 * @throws {HostFailure} `limit` when all paths together have more than 16 Mi characters
 */
export function walkTree(
  place: SearchPlace,
  options: WalkOptions,
  onUnnamed: (count: number) => void = () => {},
): { entries: Entry[]; unsearched: Unsearched | undefined } {
  const entries: Entry[] = [];
  let charactersLeft: number = fsLimits.walkCharacters;
  const cut = visitTree({
    ...place,
    options,
    onUnnamed,
    visit: ({ fd }, name, path) => {
      const stats = lookAt(fd, name);
      if (stats === undefined) return true;
      const shown = place.shownPath(path);
      charactersLeft -= shown.length;
      if (charactersLeft < 0) {
        const text = `the paths have more than ${fsLimits.walkCharacters} characters; walk less`;
        throw new HostFailure('limit', text);
      }
      entries.push(createEntry(shown, stats));
      return true;
    },
  });
  return { entries, unsearched: cut && { ...cut, path: place.shownPath(cut.path) } };
}
