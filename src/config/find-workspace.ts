import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { withTypedPath } from '../lib/with-typed-path.ts';

/**
 * The folder that is asked about: `given`, else the nearest parent of `cwd` with `.git` or
 * `cuervo.toml`, else `cwd`.
 *
 * @returns its real absolute path
 * @throws {KernelError} `not-found` when there is no such folder
 */
export function findWorkspace(given: string | undefined, cwd: string): string {
  if (given !== undefined) return existingFolder(resolve(cwd, given), given);
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) || existsSync(join(folder, 'cuervo.toml'))) {
      return existingFolder(folder, folder);
    }
    if (dirname(folder) === folder) return existingFolder(cwd, cwd);
  }
}

function existingFolder(path: string, named: string): string {
  const found = withTypedPath(path, (at) => statSync(at, { throwIfNoEntry: false }));
  if (found?.isDirectory()) return realpathSync(path);
  const what = found === undefined ? 'does not exist' : 'is no folder';
  throw new KernelError('not-found', `the workspace ${named} ${what}`, {
    hint: 'Name an existing folder with --workspace DIR.',
  });
}
