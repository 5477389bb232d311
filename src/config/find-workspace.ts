import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { isForeign, statIfThere } from '../lib/files/exposed-part.ts';
import { realpathSync, showRaw } from '../lib/files/raw-fs.ts';
import { withTypedPath } from '../lib/files/read-file.ts';

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
    const marks = marksIn(folder);
    // A person who stands in a folder has chosen it, also where it belongs to somebody else.
    if (folder !== cwd && isOfOthers(folder, marks))
      return { folder: existingFolder(cwd, cwd), foreign: folder };
    if (marks.length > 0) return { folder: existingFolder(folder, folder) };
    if (dirname(folder) === folder) return { folder: existingFolder(cwd, cwd) };
  }
}

/** A link counts as itself: who made it says where it leads. */
function marksIn(folder: string): Stats[] {
  return markers.flatMap((name) => statIfThere(join(folder, name)) ?? []);
}

/** A single mark of another user is enough, because it would count beside the user's own. */
function isOfOthers(folder: string, marks: readonly Stats[]): boolean {
  const found = statIfThere(folder) ?? [];
  return marks.length > 0 && marks.concat(found).some(isForeign);
}

function existingFolder(path: string, named: string): string {
  const found = withTypedPath(path, (at) => statSync(at, { throwIfNoEntry: false }));
  if (found?.isDirectory()) {
    const real = realpathSync(path);
    if (real.isWellFormed()) return real;
    const text = `the workspace ${named} leads to ${showRaw(real)}, which is not UTF-8`;
    throw new KernelError('invalid-argument', text, { hint: 'Rename the folder.' });
  }
  const what = found === undefined ? 'does not exist' : 'is not a folder';
  throw new KernelError('not-found', `the workspace ${named} ${what}`, {
    hint: 'Name an existing folder with --workspace DIR.',
  });
}

const maxBytes = 64 * 1024;

/**
 * `cuervo.toml` of a workspace. The file came with the workspace, so a link, a pipe or an endless
 * file is refused and not read.
 *
 * @returns undefined where there is none
 * @throws {KernelError} `invalid-argument`
 */
export function readProjectFile(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw refused(path, code === 'ELOOP' ? 'is a link' : `cannot be read: ${code}`);
  }
  try {
    if (!fstatSync(fd).isFile()) throw refused(path, 'is not a regular file');
    const buffer = Buffer.alloc(maxBytes + 1);
    const length = readSync(fd, buffer);
    if (length > maxBytes) throw refused(path, `is larger than ${maxBytes} bytes`);
    return buffer.toString('utf8', 0, length);
  } finally {
    closeSync(fd);
  }
}

function refused(path: string, why: string): KernelError {
  return new KernelError('invalid-argument', `${path} ${why}`, {
    hint: 'Remove it, or work on another folder with --workspace DIR.',
  });
}
