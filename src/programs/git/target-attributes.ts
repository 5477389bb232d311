import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FilterDriver, type FilteredPath, filteredPaths } from './filter-drivers.ts';
import { makeIndexFolder } from './index-folder.ts';
import type { AskGit } from './person-answer.ts';

const isAttributes = /(?:^|\/)\.gitattributes$/;

/**
 * As `filteredPaths`, by the attributes that the work tree will have: those of a commit that is
 * checked out count before its files are written.
 *
 * @param git.folder absolute, of the repository
 * @param git.scratch where files may be made; no plugin can be granted it
 * @param look prints what a git prints
 */
export async function filteredAt(
  git: { ask: AskGit; folder: string; scratch: string },
  commit: string,
  { paths, drivers }: { paths: readonly string[]; drivers: readonly FilterDriver[] },
  look: (args: readonly string[]) => Promise<string>,
): Promise<FilteredPath[]> {
  if (!paths.some((path) => isAttributes.test(path))) return [];
  const tree = await look(['ls-tree', '-r', '-z', '--full-tree', '--name-only', commit]);
  const names = tree.split('\0').filter((name) => isAttributes.test(name));
  using top = makeIndexFolder(git.scratch);
  for (const name of names) {
    // A tree that somebody forged may name what lies above it.
    if (name.split('/').includes('..')) continue;
    mkdirSync(dirname(join(top.path, name)), { recursive: true });
    writeFileSync(join(top.path, name), await look(['cat-file', 'blob', `${commit}:${name}`]));
  }
  const ask: AskGit = (question) =>
    git.ask({ ...question, args: [`--git-dir=${git.folder}`, ...question.args] });
  return await filteredPaths(ask, top.path, paths, drivers);
}
