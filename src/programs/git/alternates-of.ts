import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { entriesIn, fromBytes, lstatSync, rawPath, realpathSync } from '../../lib/files/raw-fs.ts';

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
    return readFileSync(rawPath(list), 'latin1')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((line) => folderBelow(root, resolve(objects, unquoted(line))));
  } catch {
    // Gone meanwhile.
    return [];
  }
}

const escaped: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

/** As git writes a path with unusual bytes: in quotes, as `\377`. @param line bytes, as latin1 */
function unquoted(line: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  const bytes = quoted?.replace(/\\([0-3][0-7]{2}|.)/g, (_, sign: string) =>
    sign.length > 1 ? String.fromCharCode(Number.parseInt(sign, 8)) : (escaped[sign] ?? sign),
  );
  return fromBytes(Buffer.from(bytes ?? line, 'latin1'));
}

function folderBelow(root: string, folder: string): string[] {
  try {
    const inside = relative(realpathSync(root), realpathSync(folder));
    if (inside === '' || inside.startsWith('..')) return [];
    // Another folder is not closed because a repository says so.
    return entriesIn(folder).some(({ name }) => /^(?:pack|[0-9a-f]{2})$/.test(name))
      ? [inside]
      : [];
  } catch {
    // It leads nowhere, so there is nothing to read in it.
    return [];
  }
}
