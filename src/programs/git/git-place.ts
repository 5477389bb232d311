import { basename, dirname, join, relative, resolve } from 'node:path';
import { isBelow } from '../../lib/files/paths.ts';
import { lstatSync, realpathSync } from '../../lib/files/raw-fs.ts';
import { rootPlace } from '../exec/bwrap-arguments.ts';
import { subcommandAt } from './harden-git.ts';
import { repositoryFolder } from './repository-folder.ts';

/** Where a git runs; both folders below the root. */
export type GitPlace = {
  /** name of the root */
  root: string;
  /** of the folder that git runs in */
  cwd: readonly string[];
  /** of the work tree that it lies in */
  top: readonly string[];
  /** of the work tree whose history it has; another one where that is a linked work tree */
  main: readonly string[];
};

/**
 * @param folder absolute, of the root
 * @param segments of the folder that git is started in
 * @param args of git; each `-C` leads to another folder
 */
export function gitPlace(
  root: string,
  folder: string,
  segments: readonly string[],
  args: readonly string[],
): GitPlace {
  const cwd = segmentsBelow(folder, changed(root, folder, join(folder, ...segments), args));
  for (let depth = cwd.length; depth > 0; depth -= 1) {
    const entry = join(...cwd.slice(0, depth), '.git');
    if (lstatSync(join(folder, entry), { throwIfNoEntry: false }) === undefined) continue;
    const top = cwd.slice(0, depth);
    return { root, cwd, top, main: mainTop(folder, entry) ?? top };
  }
  return { root, cwd, top: [], main: [] };
}

/** Where the work tree lies that a `.git` belongs to, as a path of the root. */
function mainTop(folder: string, entry: string): string[] | undefined {
  const found = repositoryFolder(folder, entry);
  if (found === undefined || found.isOutside === true || basename(found.common) !== '.git')
    return undefined;
  return segmentsBelow(folder, dirname(found.common));
}

function changed(root: string, folder: string, start: string, args: readonly string[]): string {
  const before = args.slice(0, subcommandAt(args));
  let at = start;
  for (const [index, arg] of before.entries()) {
    if (arg !== '-C') continue;
    const to = before[index + 1] ?? '';
    const place = rootPlace(root);
    at = isBelow(to, place) ? join(folder, relative(place, to)) : resolve(at, to);
  }
  return at;
}

/** Links resolved; of what lies outside nothing is known. */
function segmentsBelow(folder: string, path: string): string[] {
  try {
    const inside = relative(realpathSync(folder), realpathSync(path));
    return inside === '' || inside.startsWith('..') ? [] : inside.split('/');
  } catch {
    // Git says itself that there is no such folder.
    return [];
  }
}
