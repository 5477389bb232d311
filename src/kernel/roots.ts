import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { KernelError } from '../contracts/error.ts';

/** The name of the workspace among the roots. */
const workRoot = 'work';

/**
 * Folders of granted roots.
 *
 * @throws {KernelError} `invalid-argument` for a root that there is not, `permission-denied`
 *   when the workspace lies in `CUERVO_HOME`, which nobody can be granted
 */
export function rootFolders(
  roots: readonly string[],
  config: Pick<Config, 'workspace' | 'home'>,
): Record<string, string> {
  const folders: Record<string, string> = {};
  for (const root of roots) {
    if (root !== workRoot) {
      throw new KernelError(
        'invalid-argument',
        `there is no root "${root}"; there is ${workRoot}`,
        {
          hint: 'Grant the workspace with fs:work.',
        },
      );
    }
    const inside = relative(realHome(config.home), config.workspace);
    if (inside === '' || !inside.startsWith('..')) {
      throw new KernelError('permission-denied', `${config.workspace} belongs to cuervo itself`, {
        hint: 'Choose another folder with --workspace DIR.',
      });
    }
    folders[root] = config.workspace;
  }
  return folders;
}

/** `CUERVO_HOME` where it lies below the workspace. */
export function protectedBelow(
  config: Pick<Config, 'workspace' | 'home'>,
): Record<string, string[]> {
  const home = relative(config.workspace, realHome(config.home));
  return home.startsWith('..') || home === '' ? {} : { [workRoot]: [home] };
}

/** The home may not exist yet; then its name is all there is. */
function realHome(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return home;
  }
}
