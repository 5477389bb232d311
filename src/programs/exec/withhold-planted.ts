import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { existsSync, lstatSync, rawPath, showRaw } from '../../lib/files/raw-fs.ts';
import { errorCode } from '../../paths/system-failure.ts';
import type { RootSurvey } from './survey-root.ts';

/**
 * Takes the force from what a program left behind for later commands to obey: a hook, a `.git`,
 * a start-up file. It is renamed where it lies, because a person may have made it meanwhile.
 *
 * @returns the paths as they were, in the root
 */
export function withholdPlanted(
  folder: string,
  before: RootSurvey,
  after: RootSurvey,
): readonly string[] {
  const planted = [...after.obeyed]
    .filter(([path, identity]) => before.obeyed.get(path) !== identity)
    .map(([path]) => path)
    .sort();
  const withheld: string[] = [];
  for (const path of planted) {
    const renamed = withhold(folder, path);
    if (renamed !== undefined) withheld.push(renamed);
  }
  return withheld;
}

/** The path, or the folder above it that can still be named; undefined where nothing is there. */
function withhold(folder: string, path: string): string | undefined {
  try {
    // Files of a renamed folder have lost their place already.
    if (lstatSync(join(folder, path), { throwIfNoEntry: false }) === undefined) return undefined;
    renameSync(rawPath(join(folder, path)), rawPath(freeName(join(folder, path))));
    return path;
  } catch (thrown) {
    const above = dirname(path);
    const code = errorCode(thrown);
    if (code === undefined) throw thrown;
    if (code === 'ENAMETOOLONG' && above !== '.') return withhold(folder, above);
    const text = `${showRaw(path)} appeared while a program ran, and cannot be renamed (${code}); look at it before anything obeys it`;
    throw new ServiceError('io', text);
  }
}

function freeName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${path}.withheld${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(name)) return name;
  }
}
