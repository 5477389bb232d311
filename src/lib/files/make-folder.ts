import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

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
