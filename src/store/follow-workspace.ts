import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreWithJournal } from './open-store.ts';

/**
 * Lets a workspace that was moved or renamed find its undo and memory. Records go by its path, so
 * the store also keeps which folder of the file system the path was. A folder that is known under
 * another path, where nothing is any more, was moved. Grants stay with the path that a person saw.
 *
 * @returns the old path; undefined where the folder was not moved
 */
export function followWorkspace(store: StoreWithJournal, workspace: string): string | undefined {
  const found = statSync(workspace, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // With its birth time, because the number of a removed folder is given to another.
  const key = `workspace:${found.dev}-${found.ino}-${found.birthtimeNs}`;
  const known = store.getSetting(key)?.path;
  if (known === workspace) return undefined;
  const old = typeof known === 'string' && isGone(known) ? known : undefined;
  if (old !== undefined) store.moveProject(old, workspace);
  store.setSetting(key, { path: workspace });
  return old;
}

/** False where it cannot be known. */
function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

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
