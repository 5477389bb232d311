import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { checkPartFolder, hasManifest } from './part-folder.ts';
import { findPartLock, type PartLocks } from './part-lock.ts';
import { type PartName, thisSystem } from './parts.ts';

export type { PartName } from './parts.ts';

/** Folders of this process that were checked. */
const checked = new Set<string>();

/**
 * Where `cuervo add` put a package. The files of its part are checked once in each process.
 *
 * @param packages `CUERVO_HOME/packages`
 * @returns the folder of its package.json, in a folder `node_modules` of its part; undefined where
 *   the part was not added
 * @throws {KernelError} `unavailable` where only the part of another version of cuervo is there, or
 *   there is none for this system; `conflict` where its files are not those that were added
 */
export function addedPackage(
  packages: string,
  part: PartName,
  name: string,
  locks?: PartLocks,
): string | undefined {
  const lock = findPartLock(part, thisSystem(), locks);
  if ('refused' in lock) {
    throw new KernelError('unavailable', `the part "${part}" is needed: ${lock.refused}`, {
      hint: 'See what can be added here: cuervo add --list',
    });
  }
  const folder = join(packages, lock.folder);
  if (!hasManifest(folder)) {
    if (addedFolders(packages, part).length === 0) return undefined;
    const message = `the installed part "${part}" belongs to another version of cuervo`;
    throw new KernelError('unavailable', message, { hint: `Run: cuervo add ${part}` });
  }
  if (!checked.has(folder)) checkPartFolder(folder, part);
  checked.add(folder);
  const found = join(folder, 'node_modules', name);
  return existsSync(join(found, 'package.json')) ? found : undefined;
}

/** Names of folders of a part, of any version of cuervo. */
export function addedFolders(packages: string, part: PartName): string[] {
  if (!existsSync(packages)) return [];
  return readdirSync(packages).filter(
    (name) => name.startsWith(`${part}@`) && hasManifest(join(packages, name)),
  );
}
