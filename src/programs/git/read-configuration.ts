import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { lstatSync, rawPath } from '../../lib/files/raw-fs.ts';
import { repositoryFolder } from './repository-folder.ts';

/** Bytes; a configuration is written by people and by git itself. */
const maxBytes = 256 * 1024;

/** A repository, with `path` relative to the root. */
export type RepositoryConfiguration = { path: string; text: string };

/**
 * The text of the configuration of the repository that a folder lies in, read as data: no link is
 * followed.
 *
 * @param root absolute, a granted root
 * @param segments of the folder below it
 * @returns undefined where there is none
 */
export function readConfiguration(
  root: string,
  segments: readonly string[],
): RepositoryConfiguration | undefined {
  const common = repositoryAt(root, segments);
  if (common === undefined) return undefined;
  const path = join(common, 'config');
  const text = configurationText(path);
  return text === undefined ? undefined : { path: relative(root, path), text };
}

/** The folder that holds the common files of the repository that a folder lies in, absolute. */
export function repositoryAt(root: string, segments: readonly string[]): string | undefined {
  const top = topOf(root, segments);
  return top && repositoryFolder(root, join(relative(root, top), '.git'))?.common;
}

/** The folder with the `.git` that a folder belongs to: itself, or one above it; absolute. */
export function topOf(root: string, segments: readonly string[]): string | undefined {
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const top = join(root, ...segments.slice(0, depth));
    if (isThere(join(top, '.git'))) return top;
  }
  return undefined;
}

/** A name that a file stands in the way of, or that is too long, leads to nothing. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** @returns undefined for what is no file, or is longer than anybody writes it */
export function configurationText(path: string): string | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= maxBytes
      ? readFileSync(rawPath(path), 'utf8')
      : undefined;
  } catch {
    // Not there or not to be read: git says what it makes of that.
    return undefined;
  }
}
