import { randomBytes } from 'node:crypto';
import { lstatSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isStoredContent } from '../../contracts/protected-names.ts';
import { namesIn } from '../../lib/files/folders.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { lstatSync as lstatRaw, realpathSync } from '../../lib/files/raw-fs.ts';
import { rootPlace } from '../exec/bwrap-arguments.ts';
import type { SurveyedRoot } from '../exec/run-launch.ts';
import { subcommandAt } from './command-line.ts';
import { GrantMissing, repositoryFolder } from './repository-folder.ts';

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
    if (lstatRaw(join(folder, entry), { throwIfNoEntry: false }) === undefined) continue;
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

/** A repository outside of the root, which names the work tree as its own. */
export type OuterRepository = {
  /** of the root as which git sees it; another one for each run, so that no link leads there */
  name: string;
  /** absolute: configuration and objects */
  common: string;
  /** below it: index and HEAD of the work tree; '' where that is the folder itself */
  own: string;
  /** path of the `.git` below the root */
  entry: string;
};

/** @param folder absolute, of the root */
export function outerRepository(
  folder: string,
  { root, top }: GitPlace,
): OuterRepository | undefined {
  const entry = join(...top, '.git');
  const found = repositoryFolder(folder, entry);
  if (found?.isOutside !== true) return undefined;
  const name = `${root}.git-${randomBytes(8).toString('hex')}`;
  return { name, common: found.common, own: relative(found.common, found.folder), entry };
}

/**
 * @param allowed repositories that a person let git use from here
 * @throws {ServiceError} `denied` for another one, with the command that allows it
 */
export function requireOuter({ common }: OuterRepository, allowed: readonly string[]): void {
  if (allowed.includes(common)) return;
  const reason =
    'the repository of this work tree lies outside of the workspace, and git needs a yes to use it';
  throw new GrantMissing(reason, {
    grant: { capability: 'repository', detail: common },
    asks: { repository: common },
  });
}

/** Files of a main work tree that a linked one does not have. */
const ofMain = /^(?:index|[A-Z_]+_(?:HEAD|MSG|EDITMSG)|AUTO_MERGE|MERGE_(?:MODE|RR))$/;

/**
 * The repository as a further root of a git, masked as a `.git` in a root is: other work trees,
 * configuration and hooks are not shown.
 *
 * @param survey of its folder
 */
export function outerSurvey(
  { name, common, own }: OuterRepository,
  survey: SurveyedRoot['survey'],
): SurveyedRoot {
  const trees = namesIn(join(common, 'worktrees')).map((tree) => `worktrees/${tree}`);
  const names = namesIn(common);
  const isFolder = (each: string): boolean => lstatSync(join(common, each)).isDirectory();
  // Beside a `.git` nothing says of these names that they may hold content.
  const stored = names.filter((each) => isStoredContent(`.git/${each}`));
  const main = own === '' ? [] : names;
  return {
    name,
    folder: common,
    survey: {
      ...survey,
      files: [...survey.files, ...main.filter((each) => ofMain.test(each) && !isFolder(each))],
      folders: [...survey.folders, ...trees.filter((tree) => tree !== own)],
      fixed: [...survey.fixed, ...main.filter((each) => each === 'HEAD')],
      stores: [...survey.stores, ...stored.filter(isFolder)],
      storeFiles: [...survey.storeFiles, ...stored.filter((each) => !isFolder(each))],
    },
  };
}

/**
 * What stands in the sandbox in the place of the `.git`: there the repository lies elsewhere.
 *
 * @param folder for the file
 */
export function outerPointer(
  { name, own, entry }: OuterRepository,
  root: string,
  folder: string,
): { root: string; path: string; source: string } {
  const source = join(folder, 'pointer');
  writeFileSync(source, `gitdir: ${join(rootPlace(name), own)}\n`, { mode: 0o444 });
  return { root, path: entry, source };
}
