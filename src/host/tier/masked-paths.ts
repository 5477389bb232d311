import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWithheld, type ProtectedEntries, protectAlso } from '../below/protected-check.ts';

/** Beyond these a folder holds keys by the hundred; our own code withholds them all the same. */
const maxMasks = 64;

/** A path below a root that is covered by something empty. */
export type Mask = { path: string; kind: 'file' | 'folder' };

/**
 * What of a root is covered, so that not even native code of a plugin process reads it:
 * the paths that are withheld, protected names at the top of the root, and hooks and
 * configuration of its `.git`. Deeper ones are left to our own code: finding them would take
 * a walk of the whole tree at each start.
 *
 * @param folder absolute directory of the root
 * @returns paths relative to the root that are there and are no links
 */
export function maskedPaths(root: string, folder: string, withheld: ProtectedEntries): Mask[] {
  const isProtected = protectAlso(withheld);
  const named = (withheld[root] ?? []).filter((entry) => !entry.startsWith(':'));
  const candidates = new Set([...named, '.git/hooks', '.git/config', ...namesIn(folder)]);
  const masks: Mask[] = [];
  for (const path of candidates) {
    if (!isWithheld(isProtected, path, root)) continue;
    const kind = kindBelow(folder, path.split('/'));
    if (kind !== undefined) masks.push({ path, kind });
    if (masks.length === maxMasks) break;
  }
  return masks;
}

/** Undefined for what is not there, is a link, or passes one: nothing can be put over it. */
function kindBelow(folder: string, segments: readonly string[]): Mask['kind'] | undefined {
  let location = folder;
  let kind: Mask['kind'] | undefined;
  try {
    for (const segment of segments) {
      location = join(location, segment);
      const stats = lstatSync(location);
      kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : undefined;
      if (kind === undefined) return undefined;
    }
  } catch {
    return undefined;
  }
  return kind;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Whoever opens the root says what is wrong with it.
    return [];
  }
}
