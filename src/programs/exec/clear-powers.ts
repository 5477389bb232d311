import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { chmodSync, entriesIn, lstatSync, showRaw } from '../../lib/files/raw-fs.ts';
import { yieldToEvents } from '../../lib/yield-to-events.ts';

/** S_ISUID and S_ISGID. */
const powers = 0o6000;

/**
 * Takes set-user-ID and set-group-ID from the files that changed since a moment: who starts such a
 * file has the rights of who ran the program that left it. Where the kernel filters its calls a
 * program cannot set them, but it can still write through a mapping into a file that has them.
 *
 * Folders keep theirs: it says the group of what is made in them, and a new folder has it from
 * the one around it.
 *
 * @param sinceMs of the inode's time, which no program can set back
 * @returns the paths below the folder
 */
export async function clearPowers(folder: string, sinceMs: number): Promise<string[]> {
  const cleared: string[] = [];
  const turn = yieldToEvents();
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of entriesOf(join(folder, at))) {
      const waits = turn();
      if (waits !== undefined) await waits;
      const path = join(at, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile() && clear(join(folder, path), sinceMs)) cleared.push(showRaw(path));
    }
  }
  return cleared;
}

function clear(path: string, sinceMs: number): boolean {
  try {
    const { mode, ctimeMs } = lstatSync(path);
    if ((mode & powers) === 0 || ctimeMs < sinceMs) return false;
    chmodSync(path, mode & 0o1777);
    return true;
  } catch {
    // It is gone, or belongs to another user, who gave it these rights.
    return false;
  }
}

/** Empty for a folder that is gone or cannot be listed. */
function entriesOf(path: string): Dirent[] {
  try {
    return entriesIn(path);
  } catch {
    return [];
  }
}
