import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BuildError } from './build-error.ts';

/** Errors that another place would fix; the caller reports others, such as a full disk. */
const ofThePlace: readonly string[] = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENAMETOOLONG'],
];

/**
 * Writes a file with the folders above it; a reader never sees half of it, and what cannot be
 * written leaves nothing behind.
 *
 * @throws {BuildError} when nothing can be written there
 */
export function writeOutput(file: string, bytes: Uint8Array): void {
  const partial = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    try {
      // A link of this name, which the folder of a stranger may hold, is not followed.
      rmSync(partial, { force: true });
      writeFileSync(partial, bytes, { flag: 'wx' });
      renameSync(partial, file);
    } catch (thrown) {
      rmSync(partial, { force: true });
      throw thrown;
    }
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    if (!ofThePlace.includes(code)) throw thrown;
    const reason = `the output ${file} cannot be written (${code}): name another with --out FILE`;
    throw new BuildError(reason);
  }
}

/**
 * Where a plugin is written: `out`, or after its name in the folder `dist`.
 *
 * @throws {BuildError} where `dist` is a link: the folder of a stranger may hold one that leads into
 *   the home
 */
export function outputOf(folder: string, name: string, out: string | undefined): string {
  if (out !== undefined) return out;
  const dist = join(folder, 'dist');
  if (lstatSync(dist, { throwIfNoEntry: false })?.isSymbolicLink() !== true)
    return join(dist, `${name}.wasm`);
  throw new BuildError(`${dist} is a link and not followed: name the output with --out FILE`);
}
