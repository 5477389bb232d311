import { basename, dirname, join } from 'node:path';
import { lstatSync, statfsSync } from '../lib/files/raw-fs.ts';

/**
 * Types of statfs(2) whose names the kernel itself compares as the disk does, so that a mount over
 * one spelling covers them all: ext4, f2fs, XFS, tmpfs, vfat, exFAT, ntfs3, HFS+.
 */
const comparedByKernel: ReadonlySet<number> = new Set([
  0xef53, 0xf2f52010, 0x58465342, 0x01021994, 0x4d44, 0x2011bab0, 0x7366746e, 0x482b,
]);

/**
 * Whether one file of a folder has several names that the kernel takes for several files: the file
 * system behind it, as FUSE, 9p, CIFS or NFS can be, takes names in any case.
 *
 * @param names what the folder holds
 */
export function hasOtherSpellings(folder: string, names: readonly string[]): boolean {
  const cased = [...names.map((name) => join(folder, name)), folder].find(
    (path) => otherCase(path) !== path,
  );
  if (cased === undefined) return false;
  const other = otherCase(cased);
  if (cased !== folder && names.includes(basename(other))) return false;
  return isOneFile(cased, other) && !comparedByKernel.has(statfsSync(folder).type);
}

function otherCase(path: string): string {
  const name = basename(path);
  const upper = name.toUpperCase();
  return join(dirname(path), upper === name ? name.toLowerCase() : upper);
}

function isOneFile(path: string, other: string): boolean {
  try {
    return lstatSync(other).ino === lstatSync(path).ino;
  } catch {
    // There is no such name, or it is too long to be one.
    return false;
  }
}
