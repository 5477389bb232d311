import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A store without a byte beside tables that hold rows was emptied by something: SQLite would take it
 * for a new one, and take its log off the disk. Both are kept under another name.
 *
 * @returns the new path, undefined where nothing was emptied
 */
export function rescueEmptyStore(home: string): string | undefined {
  const path = join(home, 'cuervo.db');
  const isEmpty = statSync(path, { throwIfNoEntry: false })?.size === 0;
  if (!isEmpty || !existsSync(join(home, 'lancedb'))) return undefined;
  const aside = `${path}.emptied`;
  try {
    for (const end of ['-wal', '-shm', '']) {
      if (existsSync(path + end)) renameSync(path + end, aside + end);
    }
    return aside;
  } catch {
    return undefined; // nothing can be written there, and so nothing is lost
  }
}
