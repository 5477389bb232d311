import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Metafile } from 'esbuild';
import { packageOf } from './other-entries.ts';

/**
 * What a package takes from outside of all packages: such a file is its author's or the machine's,
 * and would be published with the plugin.
 *
 * @returns a sentence about the first; undefined where there is none
 */
export function outsidePackages(
  { inputs }: Metafile,
  { folder, sdkFolder }: { folder: string; sdkFolder: string },
): string | undefined {
  // Inputs are real paths, and the SDK may be reached by a link.
  const sdk = realpathSync(sdkFolder);
  const isOfSdk = (path: string) => isIn(path, sdk);
  for (const [from, { imports }] of Object.entries(inputs)) {
    const importer = fileOf(from, folder);
    const owner = importer === undefined ? undefined : packageOf(importer);
    if (importer === undefined || owner === undefined || isOfSdk(importer)) continue;
    for (const { path, external } of imports) {
      const file = external === true ? undefined : fileOf(path, folder);
      if (file === undefined || packageOf(file) !== undefined || isOfSdk(file)) continue;
      return `the package ${owner} takes ${relative(folder, file)}, which is in no package, and the plugin would carry it`;
    }
  }
  return undefined;
}

/**
 * What a plugin takes from outside of its project, of packages and of the SDK. Who builds the plugin of
 * somebody else would find a file of his own in it, and whatever the plugin sends would hold it.
 *
 * @param options.origin folder of the author, where `folder` holds a copy
 * @returns a sentence about the first; undefined where there is none
 */
export function outsideProject(
  { inputs }: Metafile,
  {
    folder,
    origin = folder,
    sdkFolder,
  }: { folder: string; origin?: string | undefined; sdkFolder: string },
): string | undefined {
  const project = projectOf(realpathSync(origin));
  const within = [project, folder, sdkFolder, join(sdkFolder, '../dist/libraries')]
    .filter((each) => existsSync(each))
    .map((each) => realpathSync(each));
  for (const input of Object.keys(inputs)) {
    const file = fileOf(input, folder);
    if (file === undefined || packageOf(file) !== undefined) continue;
    if (within.some((each) => isIn(file, each))) continue;
    return `${file} lies outside of ${project} and is not taken along; copy it into that folder`;
  }
  return undefined;
}

/** The repository that holds a folder, since its parts share files; else the folder alone. */
function projectOf(folder: string): string {
  const home = homedir();
  for (let at = folder; at !== home && at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, '.git'))) return at;
  return folder;
}

function isIn(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

/** The real file of an input; undefined for what the build makes itself. */
function fileOf(input: string, folder: string): string | undefined {
  const [, namespace, path = ''] = /^(?:([a-z][\w-]+):)?(.*)$/s.exec(input) ?? [];
  if (namespace !== undefined && namespace !== 'kept') return undefined;
  try {
    return realpathSync(resolve(folder, path));
  } catch {
    // A file that does not exist gives nothing.
    return undefined;
  }
}
