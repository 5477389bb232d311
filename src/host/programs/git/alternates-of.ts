import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Bytes; a list of folders, one a line. */
const maxBytes = 64 * 1024;

/**
 * The folders inside of a root in which a repository finds more objects; gitrepository-layout(5).
 *
 * @param root absolute
 * @param path of `objects/info/alternates`, relative to the root
 * @returns relative to the root, links resolved
 */
export function alternatesOf(root: string, path: string): string[] {
  const list = join(root, path);
  try {
    const stats = lstatSync(list);
    if (!stats.isFile() || stats.size > maxBytes) return [];
    const objects = dirname(dirname(list));
    return readFileSync(list, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => folderBelow(root, resolve(objects, line)));
  } catch {
    // Gone meanwhile.
    return [];
  }
}

function folderBelow(root: string, folder: string): string[] {
  try {
    const inside = relative(realpathSync(root), realpathSync(folder));
    if (inside === '' || inside.startsWith('..')) return [];
    // Another folder is not closed because a repository says so.
    return readdirSync(folder).some((name) => /^(?:pack|[0-9a-f]{2})$/.test(name)) ? [inside] : [];
  } catch {
    // It leads nowhere, so there is nothing to read in it.
    return [];
  }
}
