import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../lib/files/lock-file.ts';
import { addedFolders } from '../lib/parts/optional-part.ts';
import type { PartName } from '../lib/parts/parts.ts';
import type { PartPlaces } from './part-places.ts';

/**
 * Takes a part away, of all versions of cuervo, and what is left of a try to add it.
 *
 * @returns false where there was nothing of it
 * @throws {KernelError} `unavailable` while another process adds it
 */
export function removePart(part: PartName, { packages }: PartPlaces): boolean {
  if (!existsSync(packages)) return false;
  using _ = lockFile(join(packages, `.lock-${part}`), { what: `adding ${part}` });
  const left = readdirSync(packages).filter((name) => name.startsWith(`.partial-${part}@`));
  const folders = [...addedFolders(packages, part), ...left];
  for (const name of folders) rmSync(join(packages, name), { recursive: true, force: true });
  return folders.length > 0;
}
