import { mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { shellWord } from '../text/escape.ts';
import { entriesIn } from './raw-fs.ts';

/**
 * Makes a folder that only its owner reads, with those above it. Node's own `recursive` never
 * returns where a file system answers that a folder is missing whose parent is there, as `/proc`
 * does, and says of one that is read-only that nothing is there.
 *
 * @throws what `mkdir` throws, unless the folder is already there
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EEXIST' && isFolder(path)) return;
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw thrown;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Names in a folder; empty when there is no such folder, or it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return entriesIn(folder).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Bytes that may still be written to a folder's disk; undefined when the system does not say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** The command that makes room for a new file or folder and loses nothing of the one that is there. */
export function moveAway(path: string, ending: 'old' | 'damaged' = 'old'): string {
  return `mv ${shellWord(path)} ${shellWord(`${path}.${ending}`)}`;
}
