import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { isForeign, statIfThere } from '../lib/files/exposed-part.ts';
import { withTypedPath } from '../lib/files/with-typed-path.ts';

export type FoundWorkspace = {
  /** its real absolute path */
  folder: string;
  /** the folder above it that would be the workspace if it were not of another user */
  foreign?: string;
};

const markers = ['.git', 'cuervo.toml'];

/**
 * The folder that is asked about: `given`, else the nearest parent of `cwd` with `.git` or
 * `cuervo.toml`, else `cwd`. A parent that belongs to another user than this one and root, and a
 * mark that such a user put into a shared folder, end the search.
 *
 * @throws {KernelError} `not-found` when there is no such folder
 */
export function findWorkspace(given: string | undefined, cwd: string): FoundWorkspace {
  if (given !== undefined) return { folder: existingFolder(resolve(cwd, given), given) };
  for (let folder = cwd; ; folder = dirname(folder)) {
    const mark = markIn(folder);
    // A person who stands in a folder has chosen it, also where it belongs to somebody else.
    if (folder !== cwd && mark !== undefined && isOfOthers(folder, mark))
      return { folder: existingFolder(cwd, cwd), foreign: folder };
    if (mark !== undefined) return { folder: existingFolder(folder, folder) };
    if (dirname(folder) === folder) return { folder: existingFolder(cwd, cwd) };
  }
}

/** A link counts as itself: who made it says where it leads. */
function markIn(folder: string): Stats | undefined {
  for (const name of markers) {
    const found = statIfThere(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOfOthers(folder: string, mark: Stats): boolean {
  const found = statIfThere(folder);
  return isForeign(mark) || (found !== undefined && isForeign(found));
}

function existingFolder(path: string, named: string): string {
  const found = withTypedPath(path, (at) => statSync(at, { throwIfNoEntry: false }));
  if (found?.isDirectory()) return realpathSync(path);
  const what = found === undefined ? 'does not exist' : 'is not a folder';
  throw new KernelError('not-found', `the workspace ${named} ${what}`, {
    hint: 'Name an existing folder with --workspace DIR.',
  });
}
