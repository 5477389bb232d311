import { existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readIfPresent } from '../languages/read-if-present.ts';

/** Where `package.json` of a new plugin says that `@cuervo/sdk` is, so that npm keeps it. */
const own = '.cuervo/sdk';

/**
 * Lets the editor and the compiler of an author find `@cuervo/sdk`: a link in `node_modules` to the
 * one that ships with cuervo. An installed one stays. Where `package.json` names `.cuervo/sdk`, the
 * link is there, and the one in `node_modules` is that of npm. The build itself needs none.
 *
 * @param folder of the plugin; only one that has a `tsconfig.json` or `package.json` is touched
 * @param target the SDK that ships; without one nothing is linked
 */
export function linkSdk(folder: string, target: string): void {
  if (!['tsconfig.json', 'package.json'].some((name) => existsSync(join(folder, name)))) return;
  if (!existsSync(target)) return;
  const isNamed = readIfPresent(join(folder, 'package.json'))?.includes(`"file:${own}"`);
  if (isNamed === true) link(folder, own, target);
  link(folder, 'node_modules/@cuervo/sdk', isNamed === true ? join('../..', own) : target);
}

function link(folder: string, name: string, target: string): void {
  const path = join(folder, name);
  const parts = name.split('/').slice(0, -1);
  // They may lead out of the folder of a stranger.
  if (parts.some((_, at) => isLink(join(folder, ...parts.slice(0, at + 1))))) return;
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isSymbolicLink()) return;
    if (found !== undefined && readlinkSync(path) === target) return;
    rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, 'junction');
  } catch {
    // The folder is somebody else's, or on a disk without links: only an editor misses it.
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
