import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KernelError } from '../../contracts/error.ts';
import { addedPackage, type PartName } from './added-package.ts';

/** Packages that are loaded at their first use: their part, what it is for, and the file to load. */
const packages = {
  '@huggingface/transformers': {
    part: 'sentence',
    use: 'sentence models and cross-encoders',
    file: 'dist/transformers.node.mjs',
  },
  'componentize-qjs': { part: 'build', use: 'plugins built from source', file: 'index.js' },
  '@bytecodealliance/componentize-js': {
    part: 'build',
    use: 'plugins built for StarlingMonkey',
    file: 'src/componentize.js',
  },
  esbuild: { part: 'build', use: 'plugins built from source', file: 'lib/main.js' },
} as const satisfies Record<string, { part: PartName; use: string; file: string }>;

export type OptionalPackage = keyof typeof packages;

export type PartPlaces = {
  /** folder of cuervo's own package.json: a clone has every package in its `node_modules` */
  root: string;
  /** `CUERVO_HOME/packages` */
  packages: string;
};

export type FoundPackage = {
  /** the folder `node_modules` that it lies in, with all that it loads */
  packages: string;
  /** what to load, as an absolute path below that folder */
  file: string;
};

/**
 * An optional package: from a clone, else from what was added. Folders around cuervo are not
 * searched, since others put packages there.
 *
 * @throws {KernelError} `unavailable`, naming `cuervo add PART`
 */
export function findPackage(name: OptionalPackage, places: PartPlaces): FoundPackage {
  const { part, use, file } = packages[name];
  const own = join(places.root, 'node_modules', name);
  const folder = existsSync(join(own, file)) ? own : addedPackage(places.packages, part, name);
  if (folder !== undefined) {
    return { packages: folder.slice(0, -name.length - 1), file: join(folder, file) };
  }
  throw new KernelError('unavailable', `${use} need the part "${part}", which is not installed`, {
    hint: `Run: cuervo add ${part}`,
  });
}

/** Loads what `findPackage()` finds. @throws {KernelError} as `findPackage` */
export async function loadPackage<Module>(
  name: OptionalPackage,
  places: PartPlaces,
): Promise<Module> {
  return (await import(pathToFileURL(findPackage(name, places).file).href)) as Module;
}
