import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { repositoryFolder } from './repository-folder.ts';

/** Bytes; a configuration is written by people and by git itself. */
const maxBytes = 256 * 1024;

/** A repository, with `path` relative to the root. */
export type RepositoryConfiguration = { path: string; text: string };

/**
 * The text of the configuration of the repository that a folder lies in, read as data: no link is
 * followed, and nothing outside of the root is read.
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
  const text = textOf(path);
  return text === undefined ? undefined : { path: relative(root, path), text };
}

/** The folder that holds the common files of the repository that a folder lies in, absolute. */
export function repositoryAt(root: string, segments: readonly string[]): string | undefined {
  for (let depth = segments.length; depth >= 0; depth -= 1) {
    const entry = join(...segments.slice(0, depth), '.git');
    if (lstatSync(join(root, entry), { throwIfNoEntry: false }) === undefined) continue;
    return repositoryFolder(root, entry)?.common;
  }
  return undefined;
}

function textOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // Not there or not to be read: git says what it makes of that.
    return undefined;
  }
}
