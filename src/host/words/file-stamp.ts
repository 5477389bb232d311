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

/** Of a regular file that is no link; undefined for anything else. */
export function stampAt(path: string): FileStamp | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // in a folder that may not be entered, or below a link to itself
  }
  return stats?.isFile() === true ? stampOf(stats) : undefined;
}
