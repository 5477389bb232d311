import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { ListedPart } from '../contracts/output/parse-setup.ts';
import { freeBytes, makeFolder } from '../lib/files/folders.ts';
import { lockFile } from '../lib/files/lock-file.ts';
import {
  addedFolders,
  hasManifest,
  type PartPlaces,
  writeManifest,
} from '../lib/parts/optional-part.ts';
import {
  findPartLock,
  type LockedPackage,
  type PartLock,
  type PartLocks,
} from '../lib/parts/part-lock.ts';
import { type PartName, partNames, parts, type System } from '../lib/parts/parts.ts';
import { sizeText } from '../lib/text/amounts.ts';
import { diskFull } from './sources/web-errors.ts';
import { tarballName, unpackTarball } from './unpack-tarball.ts';

/** Brings the tarball of a package, checked, to a path. */
export type Bring = (wanted: LockedPackage, path: string) => Promise<void>;

/**
 * Brings a part into `CUERVO_HOME/packages`. Until all of it is there, checked and unpacked, it lies
 * in a folder of another name that nothing loads from; a later try goes on with what came.
 *
 * @throws {KernelError} what `bring` and `unpackTarball` throw; `unavailable` while another process
 *   adds it; `resource-exhausted` without the room for it
 */
export async function addPart(
  lock: PartLock,
  options: { places: PartPlaces; system: System; bring: Bring; signal: AbortSignal },
): Promise<void> {
  const { places, system, bring, signal } = options;
  const partial = partialFolder(places, lock.folder);
  const unpacked = join(partial, 'unpacked');
  try {
    makeFolder(partial);
    using _ = lockFile(join(places.packages, `.lock-${lock.part}`), {
      what: `adding ${lock.part}`,
    });
    checkRoom(lock, places);
    rmSync(unpacked, { recursive: true, force: true });
    const files = new Map<string, string>();
    for (const each of lock.packages) {
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      const tarball = join(partial, tarballName(each));
      await bring(each, tarball);
      const found = await unpackTarball(tarball, join(unpacked, each.place), {
        name: `${each.name} ${each.version}`,
        keeps: (path) => parts[lock.part].keeps?.[each.name]?.(path, system) ?? true,
        // Room to spare: the lock's size is of one system, and a package may be larger on another.
        // The digest is checked anyway.
        maxBytes: each.unpackedBytes * 4,
      });
      for (const [path, hash] of found) files.set(join(each.place, path), hash);
    }
    writeManifest(unpacked, files);
    finish(lock, unpacked, places);
    rmSync(partial, { recursive: true, force: true });
  } catch (thrown) {
    throw asError(thrown, lock);
  }
}

/** Renames the part into place in one step, then removes the parts of other versions of cuervo. */
function finish({ part, folder }: PartLock, unpacked: string, { packages }: PartPlaces): void {
  const goal = join(packages, folder);
  rmSync(goal, { recursive: true, force: true });
  renameSync(unpacked, goal);
  for (const name of addedFolders(packages, part))
    if (name !== folder) rmSync(join(packages, name), { recursive: true, force: true });
}

function checkRoom(lock: PartLock, { packages }: PartPlaces): void {
  const free = freeBytes(packages);
  const needed = lock.downloadBytes + lock.unpackedBytes;
  if (free === undefined || free >= needed) return;
  const message = `${lock.part} needs ${sizeText(needed)} on the disk of ${packages} while it is added; ${sizeText(free)} are left`;
  throw new KernelError('resource-exhausted', message, {
    hint: 'Make room, or use another disk: CUERVO_HOME=DIR cuervo …',
  });
}

function asError(thrown: unknown, { part }: PartLock): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const { code, path } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(thrown);
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    const message = `${part} cannot be added: ${path ?? 'CUERVO_HOME'} cannot be written (${code})`;
    return new KernelError('unavailable', message, {
      cause: thrown,
      hint: 'Choose a folder you can write to: CUERVO_HOME=DIR cuervo …',
    });
  }
  return KernelError.from(thrown, 'internal');
}

/**
 * Removes a part, of all versions of cuervo, and the remains of a failed try to add it.
 *
 * @returns false where there was nothing of it
 * @throws {KernelError} `unavailable` while another process adds it
 */
export function removePart(part: PartName, { packages }: PartPlaces): boolean {
  if (!existsSync(packages)) return false;
  using _ = lockFile(join(packages, `.lock-${part}`), { what: `adding ${part}` });
  const left = readdirSync(packages).filter((name) => name.startsWith(`.partial-${part}@`));
  const folders = [...addedFolders(packages, part), ...left];
  for (const name of folders) rmSync(join(packages, name), { recursive: true, force: true });
  return folders.length > 0;
}

/** Folder of a part that is being fetched; it stays for the next try after an interruption. */
function partialFolder({ packages }: PartPlaces, name: string): string {
  return join(packages, `.partial-${name}`);
}

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
