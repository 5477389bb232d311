import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedPart } from '../contracts/output/parse-part.ts';
import { addedFolders } from '../lib/parts/optional-part.ts';
import { hasManifest } from '../lib/parts/part-folder.ts';
import { findPartLock, type PartLock, type PartLocks } from '../lib/parts/part-lock.ts';
import { partNames, parts, type System } from '../lib/parts/parts.ts';
import type { PartPlaces } from './part-places.ts';

export function listParts(places: PartPlaces, system: System, locks?: PartLocks): ListedPart[] {
  return partNames.map((name): ListedPart => {
    const { about } = parts[name];
    const lock = findPartLock(name, system, locks);
    if ('refused' in lock) return { name, about, state: 'refused', reason: lock.refused };
    const { downloadBytes, unpackedBytes: bytes } = lock;
    return { name, about, state: partState(lock, places), downloadBytes, bytes };
  });
}

function partState(lock: PartLock, places: PartPlaces): ListedPart['state'] {
  if (hasManifest(join(places.packages, lock.folder))) return 'added';
  if (isInClone(lock, places.root)) return 'clone';
  return addedFolders(places.packages, lock.part).length > 0 ? 'other' : 'absent';
}

/** Whether each package that is looked for by name lies beside cuervo, in the version of the lock. */
function isInClone({ part, packages }: PartLock, root: string): boolean {
  const wanted = packages.filter(({ name }) => parts[part].roots.includes(name));
  const folders = [root, join(root, 'node_modules/node')];
  const isThere = (place: string, name: string, version: string): boolean =>
    folders.some((folder) => {
      try {
        const found = JSON.parse(readFileSync(join(folder, place, 'package.json'), 'utf8'));
        return found.name === name && found.version === version;
      } catch {
        return false;
      }
    });
  return (
    wanted.length > 0 && wanted.every(({ place, name, version }) => isThere(place, name, version))
  );
}
