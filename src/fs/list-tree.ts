import { fstatSync, lstatSync, type Stats } from 'node:fs';
import { closeName, openRoot } from '../paths/open-name.ts';
import {
  type Candidates,
  type ListedEntry,
  type ListedTree,
  namesOnWay,
  type Sight,
  type WalkOptions,
} from './fs-types.ts';
import type { SearchPlace } from './glob-filter.ts';
import type { Folder } from './open-files.ts';
import { createContentReader } from './read-content.ts';
import { compareInWalk, visitTree } from './visit-tree.ts';
import { nowMs } from './work-within.ts';

/** Everything but what rules ignore. */
const everything: WalkOptions = {
  include: [],
  exclude: [],
  ignoreFiles: true,
  hidden: true,
  limit: Number.MAX_SAFE_INTEGER,
};

export const sightOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): Sight => ({
  size,
  mtimeMs,
  ctimeMs,
  ino,
});

/** @returns undefined for what is gone, or cannot be looked at */
export function lookAtPath(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // something else stands where a folder was
  }
}

const ruleFiles = ['.gitignore', '.ignore', '.cuervoignore', '.git/info/exclude'];

/** Times and sizes of the ignore files in a folder; empty when there are none. */
export function rulesAt(folder: string): string {
  return ruleFiles
    .map((name) => lookAtPath(`${folder}/${name}`))
    .map((stats) => (stats === undefined ? '' : `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`))
    .join('/')
    .replace(/^\/+$/, '');
}

/**
 * A million files take some seconds, and a repository with tens of thousands of rules minutes. The
 * process hears nothing meanwhile; one that keeps an index up has nothing else to do.
 */
export const maxListMs = { answering: 10_000, updating: 60_000 };

/** The folders in which something changed, and all folders that the index knows. */
export type ListScope = {
  changed: ReadonlySet<string>;
  known: ReadonlyMap<string, Pick<Sight, 'ino'>>;
};

/**
 * Looks at all entries below a folder that a search may come by.
 *
 * @param options.scope where it is given, only at those that stand in changed and in unknown folders
 * @param options.maxMs after which the list is cut short
 */
export function listTree(
  root: string,
  isWithheld: (path: string) => boolean,
  { scope, maxMs = maxListMs.answering }: { scope?: ListScope; maxMs?: number } = {},
): ListedTree {
  const onWay = scope && namesOnWay({ paths: [...scope.changed].sort(compareInWalk) });
  const isOther = (path: string, ino: number): boolean =>
    scope === undefined || scope.changed.has(path) || scope.known.get(path)?.ino !== ino;
  const entries: ListedEntry[] = [];
  const folders: ListedTree['folders'] = new Map();
  let unnamed = 0;
  const endMs = nowMs() + maxMs;
  const rootFd = openRoot(root);
  try {
    const cut = visitTree({
      rootFd,
      start: [],
      options: everything,
      maxEntries: Number.MAX_SAFE_INTEGER,
      isWithheld,
      isOver: () => nowMs() > endMs,
      namesIn: (path) => (folders.has(path) ? undefined : onWay?.(path)),
      looksInto: ({ fd, path }) => {
        const sight = sightOf(fstatSync(fd));
        if (!isOther(path, sight.ino)) return (onWay?.(path).length ?? 0) > 0;
        folders.set(path, { ...sight, rules: rulesAt(`${root}/${path}`) });
        return true;
      },
      onUnnamed: (count) => {
        unnamed += count;
      },
      visit: (folder, _name, path, kind, hiddenAt) => {
        if (kind === 'directory' || !folders.has(folder.path)) return true;
        const stats = lookAtPath(`${root}/${path}`);
        if (stats === undefined || stats.isDirectory()) return true;
        const isFile = stats.isFile() && !isWithheld(path);
        entries.push({ ...sightOf(stats), path, isFile, hiddenAt });
        return true;
      },
    });
    const isCut = cut !== undefined;
    return { entries, folders, isCut, isWhole: !isCut && unnamed === 0 };
  } finally {
    closeName(rootFd);
  }
}

/**
 * Reads some files below a folder one after the other, no link on the way followed.
 *
 * @param candidates paths of files
 * @param take gets the bytes in one buffer that all share, -1 where they are no text or cannot be read
 */
export function readFiles(
  root: string,
  candidates: Candidates,
  take: (path: string, buffer: Buffer, length: number) => void,
): void {
  const rootFd = openRoot(root);
  const isWithheld = (): boolean => false;
  const place: SearchPlace = {
    ...{ root: '', rootFd, enters: false, start: [], isWithheld },
    shownPath: (path) => path,
  };
  try {
    using reader = createContentReader(place);
    const visit = (folder: Folder, name: string, path: string, kind: string): boolean => {
      if (kind === 'file') take(path, reader.buffer, reader.read(folder, name));
      return true;
    };
    visitTree({
      ...{ ...place, options: { ...everything, ignoreFiles: false }, visit },
      ...{ maxEntries: Number.MAX_SAFE_INTEGER, namesIn: namesOnWay(candidates) },
    });
  } finally {
    closeName(rootFd);
  }
}
