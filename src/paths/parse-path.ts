import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { lstatSync, statfsSync } from '../lib/files/raw-fs.ts';
import { unprintablePath } from '../lib/text/escape.ts';
import { fsLimits } from './fs-limits.ts';
import { HostFailure } from './system-failure.ts';

/** Names that are devices in every folder, whatever stands behind a dot. */
const device =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?:\..*)?$/i;

/**
 * What Windows takes for another file than its name says: streams of a file (`a.txt:s`), short
 * names (`SECRET~1`), dots and spaces at the end, which it drops, and devices. None of them may
 * be reached: a protected name would have a second spelling. A file whose long name happens to
 * look like a short one cannot be reached either.
 *
 * @param name one segment of a path
 */
export function windowsNameFault(name: string): boolean {
  if (name === '' || name === '.') return false;
  return /[<>:"/\\|?*]|[. ]$|~\d/.test(name) || device.test(name);
}

/**
 * Name of a file that is written beside the one whose place it will take: `.cuervo-`, the process
 * and a random number as eight hex digits each, `.part`.
 */
export function newPartName(): string {
  const owner = process.pid.toString(16).padStart(8, '0');
  return `.cuervo-${owner}${randomBytes(4).toString('hex')}.part`;
}

/** The id of the process in the name of a temporary file; undefined for any other name. */
export function partOwner(name: string): number | undefined {
  const owner = /^\.cuervo-([0-9a-f]{8})[0-9a-f]{8}\.part$/.exec(name)?.[1];
  return owner === undefined ? undefined : Number.parseInt(owner, 16);
}

/**
 * Types of statfs(2) whose names the kernel itself compares as the disk does, so that a mount over
 * one spelling covers them all: ext4, f2fs, XFS, tmpfs, vfat, exFAT, ntfs3, HFS+.
 */
const comparedByKernel: ReadonlySet<number> = new Set([
  0xef53, 0xf2f52010, 0x58465342, 0x01021994, 0x4d44, 0x2011bab0, 0x7366746e, 0x482b,
]);

/**
 * Whether a folder's file system takes names in any case while the kernel sees different files, as
 * with FUSE, 9p, CIFS or NFS. One file then has several names.
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

export type GuestPath = {
  /** name of the grant */
  root: string;
  /** inherited descriptor of the root's directory */
  rootFd: number;
  /** empty for the root itself */
  segments: readonly string[];
  /** as the guest wrote it, for messages; quoted and cut */
  shown: string;
};

/**
 * A path is `root:relative/path`; without a root it is below `work`, as `./a.md` is. What is no
 * plain list of names is refused.
 *
 * @param roots name of a grant -> descriptor
 * @param capability that grants them, for the message
 * @throws {HostFailure} `invalid` for a malformed path, `denied` for a root that is not granted
 */
export function parsePath(
  path: string,
  roots: ReadonlyMap<string, number>,
  capability: 'fs' | 'fs-write' = 'fs',
): GuestPath {
  const shown = showPath(path);
  const { root, relative } = splitRoot(path);
  const fault = path === '' ? 'is empty; the root itself is "work:"' : findFault(path, relative);
  if (fault !== undefined) {
    const errno = tooLong.test(fault) ? 'ENAMETOOLONG' : undefined;
    throw new HostFailure('invalid', `path ${shown} ${fault}`, errno);
  }
  const rootFd = roots.get(root);
  if (rootFd === undefined)
    throw new HostFailure('denied', notGranted(root, shown, roots, capability));
  const segments = relative === '' ? [] : relative.split('/');
  return { root, rootFd, segments, shown };
}

/**
 * Splits off the root: the name before the first colon, unless a slash comes before it; else
 * `work`. Segments `.` are left out.
 */
export function splitRoot(path: string): { root: string; relative: string } {
  const colon = path.indexOf(':');
  const slash = path.indexOf('/');
  const named = colon >= 0 && (slash < 0 || colon < slash);
  const segments = path.slice(named ? colon + 1 : 0).split('/');
  return {
    root: named ? path.slice(0, colon) : 'work',
    relative: segments.filter((segment) => segment !== '.').join('/'),
  };
}

/** The path in quotes, escaped, at most 200 characters: fit for a message. */
export function showPath(path: string): string {
  const cut = path.length > 200 ? `${path.slice(0, 200).toWellFormed()}…` : path;
  return JSON.stringify(cut.toWellFormed());
}

const tooLong = /^(?:is|holds a segment of) over /;

function findFault(path: string, relative: string): string | undefined {
  if (!path.isWellFormed()) return 'holds half of a surrogate pair';
  if (path.includes('\0')) return 'holds a NUL';
  if (path.includes('\\')) return 'holds a backslash; separate segments with "/"';
  if (unprintablePath.test(path)) return 'holds a control character';
  if (Buffer.byteLength(path) > fsLimits.pathBytes) return `is over ${fsLimits.pathBytes} bytes`;
  if (relative === '') return undefined;
  if (relative.startsWith('/')) return 'is absolute; paths are relative to a root';
  return findSegmentFault(relative.split('/'));
}

function findSegmentFault(segments: readonly string[]): string | undefined {
  if (segments.length > fsLimits.depth) {
    return `has ${segments.length} segments, limit ${fsLimits.depth}`;
  }
  if (segments.at(-1) === '') return 'ends in "/"';
  for (const segment of segments) {
    if (segment === '') return 'holds an empty segment';
    if (segment === '..') return 'holds the segment ".."';
    if (Buffer.byteLength(segment) > fsLimits.segmentBytes) {
      return `holds a segment of over ${fsLimits.segmentBytes} bytes`;
    }
  }
  return undefined;
}

function notGranted(
  root: string,
  shown: string,
  roots: ReadonlyMap<string, number>,
  capability: string,
): string {
  if (roots.size === 0) return `path ${shown}: no root is granted to this plugin (${capability})`;
  const granted = [...roots.keys()].join(', ');
  const own = roots.has('work') ? '; there is a file of that name in "work:"' : '';
  return `path ${shown}: root ${showPath(root)} is not granted; granted: ${granted}${own}`;
}
