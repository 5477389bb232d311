import { dirname, join, relative } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { lstatSync, mkdirSync, realpathSync, statSync } from '../../lib/files/raw-fs.ts';
import { keptOfInfo } from '../exec/mask-sources.ts';
import { subcommandAt } from './command-line.ts';

/** They write the folder `info`, or make another repository, and show no content. */
const writers: ReadonlySet<string> = new Set([...['clone', 'init', 'sparse-checkout', 'worktree']]);

/** @param args of git */
export function needsInfo(args: readonly string[]): boolean {
  return !writers.has(args[subcommandAt(args)] ?? '');
}

/** A folder `info` below a root that ours takes the place of, and the files of it that stay. */
export type InfoFolder = { root: string; path: string; kept: readonly string[] };

/**
 * The folder `info` of the repository that a folder lies in. Its attributes are the only ones that
 * a `.gitattributes` cannot outweigh, so without it git shows nothing. Where it is missing, as in
 * repositories that go-git and jj make, an empty one is made, as `git init` does.
 *
 * @param folder absolute, of the root
 * @param common absolute, of the repository
 * @returns undefined where that does not lie in the root
 * @throws {ServiceError} `denied` where `info` is not a folder and none can be made, `invalid` where
 *   there is something else in the place of the repository
 */
export function infoFolder(root: string, folder: string, common: string): InfoFolder | undefined {
  if (relative(folder, common).startsWith('..')) return undefined;
  const shown = `${root}:${relative(folder, common)}`;
  requireFolder(common, shown);
  // Mounts follow no link, and `.git` may be a link to a repository of this root.
  const path = relative(realpathSync(folder), join(realpathSync(common), 'info'));
  if (path.startsWith('..')) throw new ServiceError('denied', `${shown} is a link out of the root`);
  const look = (name: string) => lstatSync(join(folder, path, name), { throwIfNoEntry: false });
  if (look('') === undefined) makeFolder(folder, path);
  if (look('')?.isDirectory() === true) {
    return { root, path, kept: keptOfInfo.filter((name) => look(name)?.isFile()) };
  }
  const text = `${root}:${path} is not a folder, and without it .gitattributes could show what is withheld`;
  throw new ServiceError('denied', text, '', `Make it: mkdir ${path}`);
}

/** @throws {ServiceError} `invalid` for a pipe, a device, a link that leads nowhere, a closed folder */
function requireFolder(path: string, shown: string): void {
  try {
    // Behind its name there is something only where it is a folder that may be entered.
    statSync(`${path}/.`);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    const text = `${shown} is neither a folder that can be entered nor a file that leads to one (${code})`;
    throw new ServiceError('invalid', text, '', 'Remove it, or make a repository: git init');
  }
}

/** Makes a folder below a root, but none behind a link: it would lie in another place. */
function makeFolder(root: string, path: string): void {
  try {
    const real = join(realpathSync(root), dirname(path));
    if (realpathSync(real) === real) mkdirSync(join(root, path));
  } catch {
    // Another process made it, or this one may not: the caller looks again.
  }
}
