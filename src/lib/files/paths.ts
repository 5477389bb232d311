import * as os from 'node:os';
import { join, relative } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { realpathSync } from './raw-fs.ts';

/** True for the folder itself and all that lies below it; both absolute and without `..`. */
export function isBelow(path: string, folder: string): boolean {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return path === folder || path.startsWith(prefix);
}

/** The path with its links resolved; itself where nothing is there yet, or any more. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * The user's home folder, '' when there is none. An empty `HOME` counts as unset: Node would return
 * the empty text, which joined to a path means the current folder.
 *
 * @param system facts about users
 */
export function homeFolder(
  system: { homedir(): string; userInfo(): { homedir: string } } = os,
): string {
  try {
    return system.homedir() || system.userInfo().homedir;
  } catch {
    // Node throws for a user whom the system does not know, as many in a container are.
    return '';
  }
}

/**
 * A path of a setting, in which no shell has made the home folder of a leading `~/`; as it is for a
 * user without one, as it would become a path below the current folder.
 */
export function expandHome(path: string): string {
  const home = path.startsWith('~/') ? homeFolder() : '';
  return home === '' ? path : join(home, path.slice(2));
}

/**
 * A path of the workspace as tools take and print it: a name with a colon in front keeps its root,
 * for tools would take `a:b.md` for `b.md` of a root `a`.
 */
export function toolPath(path: string): string {
  return /^[^/]*:/.test(path) ? `work:${path}` : path;
}

/** The same back again; a path of another root stays as it is. */
export function workspacePath(path: string): string {
  return path.replace(/^work:/, '');
}

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
