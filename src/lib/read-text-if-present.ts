import { lstatSync, readFileSync } from 'node:fs';

/**
 * The file's text, or undefined when there is no such file; other errors pass. A link to nothing is
 * an error, too: somebody put it there to have a file read.
 */
export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // Below something that is no folder there is no file either.
    const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
    if (isAbsent && !isLink(path)) return undefined;
    const message = `${path} is a link to what is not there`;
    if (isAbsent) throw Object.assign(thrown as Error, { path, message });
    // A read of a folder fails without saying of what.
    throw Object.assign(thrown as Error, { path });
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // nothing is there
  }
}
