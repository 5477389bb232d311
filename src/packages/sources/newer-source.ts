import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const sources = /\.(?:ts|js|mjs|rs|go|c|h|py)$|^(?:plugin|Cargo)\.toml$|^go\.mod$/;

/** @returns a source of an author's folder that was changed after the binary was built of it */
export function newerSource(folder: string, file: string): string | undefined {
  const built = statSync(file).mtimeMs;
  return ['.', 'src']
    .filter((below) => existsSync(join(folder, below)))
    .flatMap((below) => readdirSync(join(folder, below)).map((name) => join(below, name)))
    .filter((path) => sources.test(basename(path)) && !/\.(?:cases|test)\./.test(path))
    .find(
      (path) => (statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) > built,
    );
}

/** Warns that a binary in the `dist` of an author's folder is not what its sources say. */
export function staleNote(file: string): string | undefined {
  const folder = dirname(dirname(file));
  const changed = basename(dirname(file)) === 'dist' ? newerSource(folder, file) : undefined;
  if (changed === undefined) return undefined;
  return `${changed} is newer than dist/${basename(file)}: build it with cuervo plugin build`;
}
