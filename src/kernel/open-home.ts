import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { KernelError } from '../contracts/error.ts';

/**
 * Makes `CUERVO_HOME`, readable to its owner alone.
 *
 * @throws {KernelError} `unavailable` when it cannot be written
 */
export function openHome(home: string): void {
  try {
    makeFolder(home);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new KernelError('unavailable', `the folder ${home} cannot be made: ${code}`, {
      cause: thrown,
      hint: 'Choose a folder you can write to: CUERVO_HOME=DIR cuervo …',
    });
  }
}

/**
 * With the folders above it. Node's own `recursive` never returns where a file system answers
 * that a folder is missing whose parent is there, as `/proc` does.
 */
function makeFolder(path: string): void {
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
