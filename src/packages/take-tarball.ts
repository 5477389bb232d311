import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { LockedPackage } from '../lib/parts/part-lock.ts';
import { isWhole } from './fetch-tarball.ts';
import { tarballName } from './part-places.ts';

/**
 * Copies the tarball of a package from what a person has.
 *
 * @param from folders with tarballs of the names that `npm pack` gives, or tarballs
 * @throws {KernelError} `not-found` where it is in none of them, `plugin-fault` for other bytes
 */
export async function takeTarball(
  wanted: LockedPackage,
  path: string,
  from: readonly string[],
): Promise<void> {
  if (await isWhole(path, wanted)) return;
  const files = from.map((each) =>
    statSync(each, { throwIfNoEntry: false })?.isDirectory()
      ? join(each, tarballName(wanted))
      : each,
  );
  for (const file of files) {
    if (await isWhole(file, wanted)) return copyFileSync(file, path);
  }
  const named = files.find(
    (file) => file.endsWith(tarballName(wanted)) && statSync(file, { throwIfNoEntry: false }),
  );
  const { name, version } = wanted;
  if (named !== undefined) {
    const message = `${named} is not the ${name} ${version} that cuervo was tested with`;
    throw new KernelError('plugin-fault', message, { hint: 'None of it was kept.' });
  }
  throw new KernelError('not-found', `${tarballName(wanted)} is not in ${from.join(', ')}`, {
    hint: 'Where there is a network, bring all of them: cuervo add PART --download DIR',
  });
}
