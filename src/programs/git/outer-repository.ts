import { randomBytes } from 'node:crypto';
import { lstatSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isStoredContent } from '../../contracts/stored-content.ts';
import { namesIn } from '../../lib/files/folders.ts';
import { rootPlace } from '../exec/bwrap-arguments.ts';
import type { SurveyedRoot } from '../exec/program-run.ts';
import type { GitPlace } from './git-place.ts';
import { GrantMissing } from './grant-missing.ts';
import { repositoryFolder } from './repository-folder.ts';

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
