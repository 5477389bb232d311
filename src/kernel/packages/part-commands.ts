import { join } from 'node:path';
import { checkHome } from '../../config/check-home.ts';
import { findHome } from '../../config/load-config.ts';
import { programPaths } from '../../config/paths.ts';
import { KernelError } from '../../contracts/error.ts';
import type { ListedPart } from '../../contracts/output/parse-setup.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { checkPartName, partLock } from '../../lib/parts/part-lock.ts';
import { type PartName, thisSystem } from '../../lib/parts/parts.ts';
import { addPart, type Bring, listParts, removePart } from '../../packages/add-part.ts';
import { takeTarball, tarballName } from '../../packages/unpack-tarball.ts';
import { openHome } from '../open-home.ts';

export type BringOptions = {
  signal: AbortSignal;
  /** files or folders to take tarballs from, in place of a registry */
  from?: readonly string[] | undefined;
  /** @param bytes that came so far */
  onProgress(bytes: number): void;
};

/** Parts that the package leaves out: added, listed and removed. */
export type PartCommands = {
  list(): ListedPart[];
  /** @throws {KernelError} `invalid-argument` for an unknown part, `unavailable` for a refused one */
  find(name: string): ListedPart;
  add(name: PartName, options: BringOptions): Promise<void>;
  /** Brings the tarballs alone into a folder. */
  download(name: PartName, folder: string, options: Omit<BringOptions, 'from'>): Promise<void>;
  /** @throws {KernelError} `not-found` where it was not added */
  remove(name: string): void;
};

/**
 * @param env of the process: `CUERVO_HOME`, and what npm reads
 * @throws {KernelError} `invalid-argument` where others can write the home
 */
export function createPartCommands(
  env: Readonly<Record<string, string | undefined>>,
): PartCommands {
  const home = findHome(undefined, env);
  checkHome(home);
  const places = { root: programPaths().root, packages: join(home, 'packages') };
  const system = thisSystem();
  const list = (): ListedPart[] => listParts(places, system);
  return {
    list,
    find: (name) => {
      const { part } = partLock(checkPartName(name), system);
      return list().find((each) => each.name === part) as ListedPart;
    },
    add: async (name, options) => {
      openHome(home);
      const bring = await bringer(options, env);
      await addPart(partLock(name, system), { places, system, bring, signal: options.signal });
    },
    download: async (name, folder, options) => {
      const bring = await bringer(options, env);
      makeFolder(folder);
      for (const each of partLock(name, system).packages)
        await bring(each, join(folder, tarballName(each)));
    },
    remove: (name) => {
      const part = checkPartName(name);
      if (removePart(part, places)) return;
      throw new KernelError('not-found', `the part ${part} was not added`, {
        hint: 'See which parts are added: cuervo add --list',
      });
    },
  };
}

/** From the named files, else from a registry. */
async function bringer(
  { from, signal, onProgress }: BringOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Bring> {
  if (from !== undefined) return (wanted, path) => takeTarball(wanted, path, from);
  const [{ fetchTarball }, { readNpmConfig }] = await Promise.all([
    import('../../packages/fetch-tarball.ts'),
    import('../../packages/registry.ts'),
  ]);
  const registry = await readNpmConfig(env);
  let bytes = 0;
  const onBytes = (count: number): void => {
    bytes += count;
    onProgress(bytes);
  };
  return (wanted, path) => fetchTarball(wanted, path, { registry, signal, onBytes });
}
