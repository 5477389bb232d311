import { readFileSync } from 'node:fs';

/** The file's text, or undefined when there is no such file; other errors pass. */
export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // Below something that is no folder there is no file either.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    // A read of a folder fails without saying of what.
    throw Object.assign(thrown as Error, { path });
  }
}
