import { relative } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { realPath } from './paths.ts';

/** The name of the workspace among the roots. */
export const workRoot = 'work';

/**
 * Folders of granted roots.
 *
 * @throws {KernelError} `invalid-argument` for a root that does not exist, `permission-denied` when
 *   the workspace lies in `CUERVO_HOME`, which cannot be granted
 */
export function rootFolders(
  roots: readonly string[],
  config: Pick<Config, 'workspace' | 'home' | 'workFolder'>,
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
    const inside = relative(realPath(config.home), config.workspace);
    if (inside === '' || !inside.startsWith('..')) {
      throw new KernelError('permission-denied', `${config.workspace} belongs to cuervo itself`, {
        hint: 'Choose another folder with --workspace DIR.',
      });
    }
    folders[root] = config.workFolder ?? config.workspace;
  }
  return folders;
}

/**
 * Changes to the default list of withheld paths in the workspace: `CUERVO_HOME` if it lies there,
 * and the patterns of the configuration. As `ProtectedEntries` of the host.
 */
export function protectedBelow(
  config: Pick<Config, 'workspace' | 'home' | 'protection'>,
): Record<string, string[]> {
  const home = relative(config.workspace, realPath(config.home));
  const { added, lifted } = config.protection;
  const entries = [
    ...(home.startsWith('..') || home === '' ? [] : [home]),
    ...added.map((pattern) => `:add ${pattern}`),
    ...lifted.map((pattern) => `:lift ${pattern}`),
  ];
  return entries.length === 0 ? {} : { [workRoot]: entries };
}
