import { existsSync } from 'node:fs';
import type { WalkOptions } from '../fs/fs-types.ts';
import { createGlobFilter } from '../fs/glob-filter.ts';
import type { KnownTree } from './known-tree.ts';
import type { Row } from './open-index-file.ts';

/**
 * The rows that a walk with these options comes by, in its order.
 *
 * @param start path of the folder that is walked, empty for all
 * @returns undefined where the walk may come by what the index does not know
 */
export function visibleRows(
  root: string,
  { rows, folders, isWhole }: KnownTree,
  start: string,
  options: WalkOptions,
): Row[] | undefined {
  if (!isWhole || !options.ignoreFiles || options.maxDepth !== undefined) return undefined;
  if (!folders.has(start)) return undefined;
  const prefix = start === '' ? '' : `${start}/`;
  const globs = createGlobFilter(options.include, options.exclude, (path) =>
    existsSync(`${root}/${prefix}${path}`),
  );
  /** path of a folder below the start -> what it says of all in it */
  const known = new Map<string, { isOut: boolean; isIn: boolean }>();

  function folderAt(path: string): { isOut: boolean; isIn: boolean } {
    if (path === '') return { isOut: false, isIn: globs.includesAll };
    const found = known.get(path);
    if (found !== undefined) return found;
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const above = folderAt(path.slice(0, Math.max(0, slash)));
    const made = {
      isOut: above.isOut || globs.excludes(path, name, true),
      isIn: above.isIn || globs.includes(path, name, true),
    };
    known.set(path, made);
    return made;
  }

  return rows.filter((row) => {
    if (!row.path.startsWith(prefix)) return false;
    if (!options.hidden && row.hiddenAt >= prefix.length) return false;
    const path = row.path.slice(prefix.length);
    const slash = path.lastIndexOf('/');
    const { isOut, isIn } = folderAt(path.slice(0, Math.max(0, slash)));
    if (isOut) return false;
    const name = path.slice(slash + 1);
    return !globs.excludes(path, name, false) && (isIn || globs.includes(path, name, false));
  });
}
