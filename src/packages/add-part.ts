import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { freeBytes, makeFolder } from '../lib/files/folders.ts';
import { lockFile } from '../lib/files/lock-file.ts';
import { addedFolders } from '../lib/parts/optional-part.ts';
import { writeManifest } from '../lib/parts/part-folder.ts';
import type { LockedPackage, PartLock } from '../lib/parts/part-lock.ts';
import { parts, type System } from '../lib/parts/parts.ts';
import { sizeText } from '../lib/text/amounts.ts';
import { diskFull } from './disk-full.ts';
import { type PartPlaces, partialFolder, tarballName } from './part-places.ts';
import { unpackTarball } from './unpack-tarball.ts';

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
        // The bytes are the locked ones; a package of all systems is larger on some than on others.
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

/** One step makes it what is loaded; what other versions of cuervo brought is not needed any more. */
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
