import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { createTurns } from '../../../lib/turns.ts';

/** S_ISUID and S_ISGID. */
const powers = 0o6000;

/** Node's sign in a name that is not UTF-8; such a name is reached by its bytes alone. */
const noCharacter = '\ufffd';

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
  const turn = createTurns();
  const pending: (string | Buffer)[] = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of entriesOf(inFolder(folder, at))) {
      const waits = turn();
      if (waits !== undefined) await waits;
      const path = below(at, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile() && clear(inFolder(folder, path), sinceMs)) cleared.push(`${path}`);
    }
  }
  return cleared;
}

function clear(path: string | Buffer, sinceMs: number): boolean {
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
function entriesOf(path: string | Buffer): (Dirent<string> | Dirent<Buffer>)[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.some(({ name }) => name.includes(noCharacter))
      ? readdirSync(path, { withFileTypes: true, encoding: 'buffer' })
      : entries;
  } catch {
    return [];
  }
}

function below(at: string | Buffer, name: string | Buffer): string | Buffer {
  if (at === '') return name;
  if (typeof at === 'string' && typeof name === 'string') return `${at}/${name}`;
  return Buffer.concat([Buffer.from(at), Buffer.from('/'), Buffer.from(name)]);
}

function inFolder(folder: string, path: string | Buffer): string | Buffer {
  return path === '' ? folder : below(folder, path);
}
