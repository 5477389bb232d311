import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isBelow } from '../../../lib/files/is-below.ts';

/** Where the parts of a repository lie. */
export type RepositoryFolder = {
  /** absolute: index and HEAD */
  folder: string;
  /** absolute: configuration and objects, which linked work trees share */
  common: string;
  /** `.git` names it by a path from the top, as it does in a linked work tree */
  isAbsolute: boolean;
};

/** Bytes of a pointer; it holds one path. */
const maxPointerBytes = 8192;

/**
 * What a `.git` stands for: a folder itself, or a file of a submodule or a linked work tree that
 * says where the repository is. Nothing outside of the root is looked at, and no link is followed.
 *
 * @param root absolute, without links
 * @param entry of the `.git`, relative to the root
 * @returns undefined where there is none, or it lies outside of the root
 */
export function repositoryFolder(root: string, entry: string): RepositoryFolder | undefined {
  const path = join(root, entry);
  try {
    if (!lstatSync(path).isFile()) return { folder: path, common: path, isAbsolute: false };
    const pointer = /^gitdir: (.+)$/m.exec(pointerText(path))?.[1];
    if (pointer === undefined) return undefined;
    const folder = plainBelow(root, resolve(dirname(path), pointer));
    if (folder === undefined) return undefined;
    const shared = join(folder, 'commondir');
    const isLinked = lstatSync(shared, { throwIfNoEntry: false }) !== undefined;
    const common = isLinked
      ? plainBelow(root, resolve(folder, pointerText(shared).trim()))
      : folder;
    if (common === undefined) return undefined;
    return { folder, common, isAbsolute: pointer.startsWith('/') };
  } catch {
    // Not there or not to be read: git says what it makes of that.
    return undefined;
  }
}

/** @throws {Error} of the system, or where it is not a file that holds one path */
function pointerText(path: string): string {
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.size > maxPointerBytes) throw new Error('no pointer');
  return readFileSync(path, 'utf8');
}

/** The folder, where no link is on the way to it below the root. */
function plainBelow(root: string, folder: string): string | undefined {
  if (!isBelow(folder, root)) return undefined;
  const expected = join(realpathSync(root), relative(root, folder));
  return realpathSync(folder) === expected ? folder : undefined;
}
