import { join } from 'node:path';
import { createContentGate, type ProtectedEntries } from '../contracts/content-gate.ts';
import { namesIn } from '../lib/files/folders.ts';
import { lstatSync } from '../lib/files/raw-fs.ts';

/** A folder with more matches holds keys by the hundred; our own code withholds the rest. */
const maxMasks = 64;

/** A path below a root that is covered by something empty. */
export type Mask = { path: string; kind: 'file' | 'folder' };

/**
 * The paths of a root that are covered, so that not even native code of a plugin process reads
 * them: withheld paths, protected names at the top of the root, and hooks, configuration and
 * content of its `.git`. Our own code withholds deeper ones: finding them would take a walk of the
 * whole tree at each start.
 *
 * @param folder absolute directory of the root
 * @returns existing paths relative to the root that are not links
 */
export function maskedPaths(root: string, folder: string, withheld: ProtectedEntries): Mask[] {
  const gate = createContentGate(withheld);
  const named = (withheld[root] ?? []).filter((entry) => !entry.startsWith(':'));
  const ofGit = namesIn(join(folder, '.git')).map((name) => `.git/${name}`);
  const candidates = new Set([...named, ...ofGit, ...namesIn(folder)]);
  const masks: Mask[] = [];
  for (const path of candidates) {
    if (gate.shows({ root, path }, { roots: [root] })) continue;
    const kind = kindBelow(folder, path.split('/'));
    if (kind !== undefined) masks.push({ path, kind });
    if (masks.length === maxMasks) break;
  }
  return masks;
}

/** Undefined for what is missing, is a link, or passes one: nothing can be put over it. */
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
