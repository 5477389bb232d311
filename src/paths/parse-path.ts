import { unspeakable } from '../lib/text/unspeakable.ts';
import { fsLimits } from './fs-limits.ts';
import { HostFailure } from './host-failure.ts';

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
 * The name in front of the first colon, unless that stands behind a slash; else `work`. `.` is the
 * folder that it stands in, so it is left out.
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
  if (unspeakable.test(path)) return 'holds a control character';
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
