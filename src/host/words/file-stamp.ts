import { lstatSync, type Stats } from 'node:fs';

/**
 * What tells whether a file is as it was: whoever puts back size and time of a changed file cannot
 * put back when its inode was changed.
 */
export type FileStamp = { bytes: number; changedMs: number; inodeChangedMs: number; inode: number };

/** Numbers of a stamp in a row. */
export const stampFields = 4;

export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): FileStamp {
  return { bytes: size, changedMs: mtimeMs, inodeChangedMs: ctimeMs, inode: ino };
}

export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return (
    one.bytes === other.bytes &&
    one.changedMs === other.changedMs &&
    one.inodeChangedMs === other.inodeChangedMs &&
    one.inode === other.inode
  );
}

/**
 * Of regular files below a folder, as they are now: no link, and reached through none.
 *
 * @param folder absolute
 * @returns a function that takes relative paths; it looks at each folder on the way once
 */
export function stampsBelow(folder: string): (path: string) => FileStamp | undefined {
  const folders = new Map<string, boolean>();
  const isFolder = (path: string): boolean => {
    if (path === '') return true;
    let known = folders.get(path);
    if (known === undefined) {
      known = isFolder(parentOf(path)) && look(`${folder}/${path}`)?.isDirectory() === true;
      folders.set(path, known);
    }
    return known;
  };
  return (path) => {
    if (!isFolder(parentOf(path))) return undefined;
    const stats = look(`${folder}/${path}`);
    return stats?.isFile() === true ? stampOf(stats) : undefined;
  };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // in a folder that may not be entered
  }
}
