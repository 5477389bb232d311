import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { exposedPart } from '../../lib/files/exposed-part.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { programFolders } from '../exec/find-program.ts';
import { installReads } from './install-prefix.ts';
import type { PathFolder } from './path-folder.ts';
import { isShimFolder, shimFolders } from './shim-folders.ts';
import type { ShimPlace } from './wanted-versions.ts';

type Place = ShimPlace & { withheld: readonly string[]; warn(text: string): void };

/**
 * The folders of the user's `PATH`, in its order, with those that hold shims replaced by what the
 * shims stand for. An entry that is relative, that others may write, or that lies where a plugin
 * may write is never searched.
 *
 * @param path entries of `PATH`
 */
export function userFolders(path: readonly string[], place: Place): PathFolder[] {
  const found: PathFolder[] = [];
  const closed = [...Object.values(place.folders), ...place.withheld];
  for (const entry of path) {
    if (entry === '' || programFolders.includes(entry)) continue;
    const folder = isAbsolute(entry) ? realFolder(entry) : undefined;
    const why = isAbsolute(entry) ? exposedPart(entry)?.why : 'is relative';
    if (isAbsolute(entry) && folder === undefined) continue;
    if (why !== undefined) {
      place.warn(`PATH: ${JSON.stringify(entry)} ${why}; cuervo looks for no program in it`);
      continue;
    }
    if (folder === undefined || closed.some((each) => isBelow(folder, each))) continue;
    for (const each of [...shimFolders(folder, place), folder]) {
      if (found.some(({ folder: known }) => known === each) || isShimFolder(each)) continue;
      found.push({ folder: each, from: 'user', reads: installReads(each) ?? [each] });
    }
  }
  return found;
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
