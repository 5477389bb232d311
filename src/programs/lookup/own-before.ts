import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ProgramRefused } from '../exec/find-program.ts';
import type { ProgramSearch } from './look-up-program.ts';
import { realProgram } from './program-file.ts';
import { userFolders } from './user-folders.ts';

/**
 * Where the user's own shell would find another program of this name before that of the system.
 * Runs nothing, and reports no fault of the `PATH`.
 *
 * @param system path of the system's program
 * @returns absolute path; undefined where the `PATH` leads to the same file, or to it first
 */
export function ownBefore(
  name: string,
  system: string,
  path: readonly string[],
  search: ProgramSearch,
): string | undefined {
  const at = path.indexOf(dirname(system));
  const before = at === -1 ? path : path.slice(0, at);
  const real = realpathSync(system);
  try {
    for (const { folder } of userFolders(before, { ...search, warn: () => {} })) {
      const found = realProgram(join(folder, name), `program "${name}" of your PATH`);
      if (found !== undefined) return found === real ? undefined : found;
    }
  } catch (thrown) {
    // A link in a circle: nothing that anybody could run.
    if (!(thrown instanceof ProgramRefused)) throw thrown;
  }
  return undefined;
}
