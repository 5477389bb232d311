import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError } from '../build/build-error.ts';

/** Folders that no build reads whole: packages, history and what builds make. */
const left = new Set(['node_modules', '.git', 'dist', 'target']);
/** A plugin has some dozen files. */
const maxEntries = 20_000;

/**
 * Refuses a folder that holds what is no file: bundlers and compilers open what they find, and who
 * opens a pipe waits without an end.
 *
 * @throws {BuildError} naming the path
 */
export function requireFiles(folder: string): void {
  const folders = [folder];
  let seen = 0;
  for (const at of folders) {
    for (const entry of entriesOf(at)) {
      seen += 1;
      if (seen > maxEntries) return;
      const path = join(at, entry.name);
      if (entry.isDirectory() && !left.has(entry.name)) folders.push(path);
      if (entry.isFile() || entry.isDirectory()) continue;
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || stats.isFile() || stats.isDirectory()) continue;
      throw new BuildError(`${path} is ${kindOf(stats)}, not a file`, {
        hint: 'Remove it; a plugin is built of files.',
      });
    }
  }
}

/** Empty for a missing or unreadable folder; opening it later reports that. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
