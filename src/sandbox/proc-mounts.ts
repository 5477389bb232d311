import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../lib/memo.ts';

const othersRead = 0o004;

/**
 * The `/proc` of a sandbox, closed to writing. The kernel guards much of it by the user number
 * alone, which inside is that of outside: without this a process of root could change settings of
 * the whole machine. Files that only root may read are covered.
 *
 * @returns options of bubblewrap
 */
export const procMounts = once((): readonly string[] => [
  ...['--proc', '/proc'],
  ...(process.geteuid?.() === 0 ? filesOfRoot('/proc') : []).flatMap((path) => [
    // A device does not open through such a mount.
    ...['--ro-bind', '/dev/null', path],
  ]),
  ...['--remount-ro', '/proc'],
]);

/** Files of the kernel itself that others may not read; those of processes lie in their folders. */
function filesOfRoot(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
    .filter((path) => (statSync(path).mode & othersRead) === 0);
}
