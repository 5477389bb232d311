import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programPaths } from '../../config/paths.ts';

/**
 * Lets the editor and the compiler of an author find `@cuervo/sdk`: a link in `node_modules` to the
 * one that ships with cuervo. An installed one stays. The build itself needs none.
 *
 * @param folder of the plugin; only one that has a `tsconfig.json` or `package.json` is touched
 */
export function linkSdk(folder: string): void {
  if (!['tsconfig.json', 'package.json'].some((name) => existsSync(join(folder, name)))) return;
  const target = join(programPaths().dist, 'sdk');
  const link = join(folder, 'node_modules', '@cuervo', 'sdk');
  if (!existsSync(target)) return;
  const above = ['node_modules', 'node_modules/@cuervo'].map((name) => join(folder, name));
  // They may lead out of the folder of a stranger.
  if (above.some(isLink)) return;
  try {
    const found = lstatSync(link, { throwIfNoEntry: false });
    if (found !== undefined && !found.isSymbolicLink()) return;
    if (found !== undefined && readlinkSync(link) === target) return;
    rmSync(link, { force: true });
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, 'junction');
  } catch {
    // The folder is somebody else's, or on a disk without links: only an editor misses it.
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
