import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isBelow } from '../../lib/files/paths.ts';
import { fromBytes, lstatSync, rawPath, realpathSync } from '../../lib/files/raw-fs.ts';
import { parseSettings } from './parse-settings.ts';

/** Where the parts of a repository lie. */
export type RepositoryFolder = {
  /** absolute: index and HEAD */
  folder: string;
  /** absolute: configuration and objects, which linked work trees share */
  common: string;
  /** `.git` names it by a path from the top, as it does in a linked work tree */
  isAbsolute: boolean;
  /** it lies outside of the root, and names the work tree as its own */
  isOutside?: true;
};

/** Bytes of a pointer; it holds one path. */
const maxPointerBytes = 8192;

/**
 * What a `.git` stands for: a folder itself, or a file of a submodule or a linked work tree that
 * says where the repository is. One outside of the root has to point back: a file that anybody may
 * have put there does not lead to another's repository. No link is followed.
 *
 * @param root absolute, without links
 * @param entry of the `.git`, relative to the root
 * @returns undefined where there is none, or it does not belong to the work tree
 */
export function repositoryFolder(root: string, entry: string): RepositoryFolder | undefined {
  const path = join(root, entry);
  try {
    if (!lstatSync(path).isFile()) return { folder: path, common: path, isAbsolute: false };
    const pointer = /^gitdir: (.+)$/m.exec(pointerText(path))?.[1];
    if (pointer === undefined) return undefined;
    const named = resolve(dirname(path), pointer);
    if (!isBelow(named, root)) return outside(path, named);
    const folder = plainBelow(root, named);
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

/**
 * A repository outside that knows the work tree: `worktrees/NAME/gitdir` names its `.git`, or
 * `core.worktree` of `modules/NAME` names its folder.
 *
 * @param path of the `.git`, absolute
 * @param named the folder that it names
 * @throws {Error} of the system
 */
function outside(path: string, named: string): RepositoryFolder | undefined {
  const [own, folder] = [join(realpathSync(dirname(path)), '.git'), realpathSync(named)];
  if (lstatSync(join(folder, 'commondir'), { throwIfNoEntry: false }) === undefined) {
    const isModule = /\/\.git\/(?:.+\/)?modules\/./.test(folder);
    const text = isModule ? pointerText(join(folder, 'config')) : '';
    const tree = parseSettings(text).findLast(({ name }) => name === 'core.worktree')?.value;
    if (tree === undefined || realpathSync(resolve(folder, tree)) !== dirname(own))
      return undefined;
    return { folder, common: folder, isAbsolute: false, isOutside: true };
  }
  const common = dirname(dirname(folder));
  const back = pointerText(join(folder, 'gitdir')).trim();
  const isLinked =
    basename(dirname(folder)) === 'worktrees' &&
    pointerText(join(folder, 'commondir')).trim() === '../..' &&
    resolve(folder, back) === own;
  return isLinked ? { folder, common, isAbsolute: false, isOutside: true } : undefined;
}

/** @throws {Error} of the system, or where it is not a file that holds one path */
function pointerText(path: string): string {
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.size > maxPointerBytes) throw new Error('no pointer');
  return fromBytes(readFileSync(rawPath(path)));
}

/** The folder, where no link is on the way to it below the root. */
function plainBelow(root: string, folder: string): string | undefined {
  if (!isBelow(folder, root)) return undefined;
  const expected = join(realpathSync(root), relative(root, folder));
  return realpathSync(folder) === expected ? folder : undefined;
}
