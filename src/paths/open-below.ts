import { type BigIntStats, fstatSync, lstatSync, type Stats } from 'node:fs';
import { isAbsolute } from 'node:path';
import { readlinkSync } from '../lib/files/raw-fs.ts';
import { fsLimits } from './fs-limits.ts';
import { atName, closeName, directoryFlags, fileFlags, openName } from './open-name.ts';
import type { GuestPath } from './parse-path.ts';
import { errorCode, HostFailure, systemFailure } from './system-failure.ts';

/**
 * Opens a directory below a root to write in it. Unlike reading, it follows no link, not even one
 * that stays inside: a write must land exactly at its path.
 *
 * @param segments of the directory, relative to the root
 * @param onMissing makes a directory that does not exist, the last of the segments it is given
 * @throws {HostFailure} `denied` for a link; system errors are left as they are
 */
export function openDirectory(
  path: GuestPath,
  segments: readonly string[],
  onMissing?: (directoryFd: number, made: readonly string[]) => void,
): Disposable & { fd: number } {
  let fd = path.rootFd;
  const leave = (): void => {
    if (fd !== path.rootFd) closeName(fd);
  };
  try {
    for (const [index, name] of segments.entries()) {
      const make = onMissing && (() => onMissing(fd, segments.slice(0, index + 1)));
      const next = enter(path, fd, name, make);
      leave();
      fd = next;
    }
  } catch (thrown) {
    leave();
    throw thrown;
  }
  return { fd, [Symbol.dispose]: leave };
}

function enter(
  path: GuestPath,
  directoryFd: number,
  name: string,
  make: (() => void) | undefined,
): number {
  const look = (location: string | Buffer) => lstatSync(location, { throwIfNoEntry: false });
  try {
    return openName(directoryFd, name, directoryFlags);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT' && make !== undefined) {
      make();
      return openName(directoryFd, name, directoryFlags);
    }
    if (atName(directoryFd, name, look)?.isSymbolicLink()) throw isLink(path);
    throw thrown;
  }
}

/** A link is never written through, replaced, renamed or removed. */
export function isLink(path: GuestPath): HostFailure {
  return new HostFailure(
    'denied',
    `path ${path.shown} is, or passes, a link; links are not written`,
  );
}

/** An open file or directory below a root. The caller disposes it. */
export type Opened = Disposable & {
  fd: number;
  stats: Stats;
  /** where it really is, all links resolved, relative to the root */
  resolved: readonly string[];
};

/**
 * Opens a path below a root, one segment after the other, each below the descriptor of the
 * one before. A link is resolved here, never by the system, and only as long as its target
 * is relative and stays below the root.
 *
 * @throws {HostFailure} `denied` when a link leaves the root, `not-found`, `invalid`, `io`
 */
export function openBelow(path: GuestPath, onFailure: OnFailure = () => {}): Opened {
  const finish: Finish<Opened> = (directoryFd, name, resolved) => {
    const fd = openName(directoryFd, name, fileFlags);
    try {
      return { fd, stats: fstatSync(fd), resolved, [Symbol.dispose]: () => closeName(fd) };
    } catch (thrown) {
      closeName(fd);
      throw thrown;
    }
  };
  return descend(path, finish, onFailure);
}

/** As `openBelow()`, but looks at the target without opening it. */
export function statBelow(
  path: GuestPath,
  onFailure: OnFailure = () => {},
): { stats: BigIntStats; resolved: readonly string[] } {
  const finish = (directoryFd: number, name: string, resolved: readonly string[]) => {
    const stats = atName(directoryFd, name, (location) => lstatSync(location, { bigint: true }));
    if (stats.isSymbolicLink()) throw new LinkFound();
    return { stats, resolved };
  };
  return descend(path, finish, onFailure);
}

class LinkFound extends Error {
  readonly code = 'ELOOP';
}

/** Does the last step; throws `ELOOP` when `name` is a link. `.` is the directory itself. */
type Finish<T> = (directoryFd: number, name: string, resolved: readonly string[]) => T;

/**
 * Called with the part of a path that was reached before a failure; may throw a better error. A
 * path that a sandbox covers with an empty file is withheld, not missing.
 */
type OnFailure = (resolved: readonly string[]) => void;

function descend<T>(path: GuestPath, finish: Finish<T>, onFailure: OnFailure): T {
  const pending = path.segments.toReversed();
  const directories = [path.rootFd];
  const names: string[] = [];
  let hops = 0;
  let name: string | undefined;
  const follow = (name: string) => {
    hops += 1;
    pending.push(...linkSegments(path, directories.at(-1)!, name, hops).reverse());
  };
  try {
    for (;;) {
      name = pending.pop();
      if (name === undefined) return finish(directories.at(-1)!, '.', names);
      if (name === '..') {
        if (directories.length === 1) throw leavesRoot(path);
        closeName(directories.pop()!);
        names.pop();
        continue;
      }
      if (directories.length > fsLimits.depth) {
        const text = `path ${path.shown} leads deeper than ${fsLimits.depth} segments`;
        throw new HostFailure('invalid', text);
      }
      try {
        if (pending.length === 0) return finish(directories.at(-1)!, name, [...names, name]);
        directories.push(openName(directories.at(-1)!, name, directoryFlags));
        names.push(name);
      } catch (thrown) {
        // With O_DIRECTORY a link is reported as no directory.
        const code = errorCode(thrown);
        if (code !== 'ELOOP' && code !== 'ENOTDIR') throw thrown;
        follow(name);
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof HostFailure)) onFailure(name === undefined ? names : [...names, name]);
    throw systemFailure(thrown, path.shown);
  } finally {
    for (const fd of directories) if (fd !== path.rootFd) closeName(fd);
  }
}

/** Separators in a link's target. Windows knows both, and neither can be part of a name. */
const separators = process.platform === 'win32' ? /[\\/]/ : /\//;

/** The target of a link as segments that are left to go; `..` among them is resolved later. */
function linkSegments(path: GuestPath, directoryFd: number, name: string, hops: number): string[] {
  const target = readLink(path, directoryFd, name);
  if (hops > fsLimits.linkHops) {
    const text = `path ${path.shown} passes more than ${fsLimits.linkHops} links`;
    throw new HostFailure('denied', text, 'ELOOP');
  }
  if (isAbsolute(target)) throw leavesRoot(path);
  return target.split(separators).filter((segment) => segment !== '' && segment !== '.');
}

function readLink(path: GuestPath, directoryFd: number, name: string): string {
  try {
    return atName(directoryFd, name, (location) => readlinkSync(location));
  } catch (thrown) {
    // EINVAL: the name is no link, so the error before was true: not a directory.
    const code = errorCode(thrown) === 'EINVAL' ? 'ENOTDIR' : errorCode(thrown);
    throw systemFailure({ code }, path.shown);
  }
}

function leavesRoot(path: GuestPath): HostFailure {
  return new HostFailure('denied', `path ${path.shown} leads outside of root ${path.root}`);
}
