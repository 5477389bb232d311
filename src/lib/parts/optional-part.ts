import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KernelError } from '../../contracts/error.ts';
import { exposedPart } from '../files/exposed-part.ts';
import { writeFileWhole } from '../files/write-file-whole.ts';
import { sha256 } from '../sha256.ts';
import { findPartLock, type PartLocks } from './part-lock.ts';
import { type PartName, thisSystem } from './parts.ts';

/** Packages that are loaded at their first use: their part, what it is for, and the file to load. */
const packages = {
  '@huggingface/transformers': {
    part: 'sentence',
    use: 'sentence models and cross-encoders',
    file: 'dist/transformers.node.mjs',
  },
  unpdf: { part: 'documents', use: 'PDF and Word files', file: 'dist/index.mjs' },
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

/** Written last into the folder of a part: without it there is only half of one. */
const manifestName = 'files.json';

type Stamp = readonly [bytes: number, inode: string, modifiedNs: string, changedNs: string];
type ManifestFile = { path: string; sha256: string; stamp: Stamp };

/**
 * Writes the digests of a part's files, so that each later load can check them.
 *
 * @param files relative path -> SHA-256, hex, as they were unpacked from a checked tarball
 */
export function writeManifest(folder: string, files: ReadonlyMap<string, string>): void {
  const rows = [...files].map(
    ([path, hash]): ManifestFile => ({ path, sha256: hash, stamp: stampOf(join(folder, path)) }),
  );
  write(folder, rows);
}

export function hasManifest(folder: string): boolean {
  return existsSync(join(folder, manifestName));
}

/**
 * Checks that each file of a part is the unpacked one: untouched since, or with the same bytes. A
 * file's change time cannot be set, so an untouched file is not read again.
 *
 * @throws {KernelError} `conflict` for another file, `invalid-argument` when others can write
 */
export function checkPartFolder(folder: string, part: string): void {
  const exposed = exposedPart(folder);
  if (exposed !== undefined) {
    const message = `the part ${part} is not safe to run: ${exposed.path} ${exposed.why}`;
    throw new KernelError('invalid-argument', message, {
      hint: `Run: cuervo remove ${part} && ${exposed.fix} && cuervo add ${part}`,
    });
  }
  let touched = 0;
  const rows = read(folder, part).map((row): ManifestFile => {
    const path = join(folder, row.path);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() !== true) throw changed(part, `${path} is missing`);
    const stamp = stampOf(path);
    if (stamp.join() === row.stamp.join()) return row;
    if (sha256(readFileSync(path)) !== row.sha256) throw changed(part, `${path} was changed`);
    touched += 1;
    return { ...row, stamp };
  });
  if (touched > 0) keepStamps(folder, rows);
}

/** For a copied or restored home: the same bytes in other files. */
function keepStamps(folder: string, rows: readonly ManifestFile[]): void {
  try {
    write(folder, rows);
  } catch {
    // A read-only home: the files are read again next time.
  }
}

function read(folder: string, part: string): ManifestFile[] {
  try {
    return JSON.parse(readFileSync(join(folder, manifestName), 'utf8')) as ManifestFile[];
  } catch {
    throw changed(part, `${join(folder, manifestName)} cannot be read`);
  }
}

function write(folder: string, rows: readonly ManifestFile[]): void {
  writeFileWhole(join(folder, manifestName), `${JSON.stringify(rows)}\n`);
}

function stampOf(path: string): Stamp {
  const { size, ino, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return [Number(size), `${ino}`, `${mtimeNs}`, `${ctimeNs}`];
}

function changed(part: string, why: string): KernelError {
  return new KernelError('conflict', `the part ${part} is not what was added: ${why}`, {
    hint: `Bring it again: cuervo remove ${part} && cuervo add ${part}`,
  });
}
