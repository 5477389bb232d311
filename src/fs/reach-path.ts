import type { BigIntStats, Stats } from 'node:fs';
import type { ProtectedCheck } from '../contracts/content-gate.ts';
import { type Opened, openBelow, statBelow } from '../paths/open-below.ts';
import { type GuestPath, parsePath } from '../paths/parse-path.ts';
import { HostFailure } from '../paths/system-failure.ts';
import type { SearchPlace } from './glob-filter.ts';

/** The ways from a guest's path to what it names; each asks for protected names. */
export type Reach = {
  /** The caller disposes it. */
  directory(path: string): Opened & { guestPath: GuestPath };
  /** The caller disposes it. */
  file(path: string): Opened & { guestPath: GuestPath };
  stats(path: string): { stats: BigIntStats; guestPath: GuestPath };
  place(path: string): SearchPlace;
};

/**
 * All of it throws `HostFailure`.
 *
 * @param enters see `SearchPlace`
 */
export function createReach(
  roots: ReadonlyMap<string, number>,
  isProtected: ProtectedCheck,
  enters = false,
): Reach {
  function parse(path: string): GuestPath {
    const parsed = parsePath(path, roots);
    refuseProtected(parsed, parsed.segments);
    return parsed;
  }

  function refuseProtected(path: GuestPath, segments: readonly string[]): void {
    if (!isProtected(segments.join('/'), path.root)) return;
    throw new HostFailure('denied', `path ${path.shown} is a protected file`);
  }

  /** Judged by its name and, because of links, by where it really is. */
  function open(path: string, accept: (stats: Stats) => string | undefined) {
    const guestPath = parse(path);
    const opened = openBelow(guestPath, (resolved) => refuseProtected(guestPath, resolved));
    try {
      refuseProtected(guestPath, opened.resolved);
      const fault = accept(opened.stats);
      if (fault === undefined) return { ...opened, guestPath };
      throw new HostFailure('invalid', `path ${guestPath.shown} ${fault}`);
    } catch (thrown) {
      opened[Symbol.dispose]();
      throw thrown;
    }
  }

  return {
    directory: (path) =>
      open(path, (stats) => (stats.isDirectory() ? undefined : 'is not a directory')),
    file: (path) => open(path, fileFault),
    stats: (path) => {
      const guestPath = parse(path);
      const refuse = (resolved: readonly string[]) => refuseProtected(guestPath, resolved);
      const { stats, resolved } = statBelow(guestPath, refuse);
      refuse(resolved);
      return { stats, guestPath };
    },
    place: (path) => {
      // Closed at the end: the walk goes down by itself and collects the rules on its way.
      using opened = open(path, placeFault);
      const { guestPath, resolved } = opened;
      const skipped = resolved.length === 0 ? 0 : resolved.join('/').length + 1;
      return {
        root: guestPath.root,
        rootFd: guestPath.rootFd,
        enters,
        start: resolved,
        isWithheld: (relative) => isProtected(relative, guestPath.root),
        // A file behind a link is named by the path that the guest gave.
        shownPath: (relative) => joinShown(guestPath, relative.slice(skipped)),
      };
    },
  };
}

/** The path of something below what a guest's path names; of itself for ''. */
export function joinShown(path: GuestPath, rest: string): string {
  const slash = path.segments.length === 0 || rest === '' ? '' : '/';
  return `${path.root}:${path.segments.join('/')}${slash}${rest}`;
}

function fileFault(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  return stats.isDirectory() ? 'is a directory' : 'is not a regular file';
}

function placeFault(stats: Stats): string | undefined {
  return stats.isDirectory() ? undefined : fileFault(stats);
}
