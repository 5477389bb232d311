import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { indexFolder } from '../memory/index-folder.ts';

/** How searches of the workspace find files: by an index that is watched, by one that is not, or none. */
export async function checkIndex({
  home,
  workspace,
}: Pick<Config, 'home' | 'workspace'>): Promise<Finding> {
  const row = { name: 'index', status: 'ok' as const };
  const folder = indexFolder(home, workspace);
  if (!existsSync(join(folder, 'files.db')))
    return { ...row, finding: `there is none of ${workspace}: searches read every file` };
  const { isWatched } = await import('../memory/watch-files.ts');
  const finding = isWatched(folder, { asks: false })
    ? `a process keeps that of ${workspace} up with the files`
    : `searches of ${workspace} look for changes before each answer; cuervo index --watch spares that`;
  return { ...row, finding };
}
