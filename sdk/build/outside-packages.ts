import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
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
  const isOfSdk = (path: string) => !relative(sdk, path).startsWith(`..${sep}`);
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
