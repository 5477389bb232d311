import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { exposedPart } from '../files/exposed-part.ts';
import { writeFileWhole } from '../files/write-file-whole.ts';
import { sha256 } from '../sha256.ts';

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
