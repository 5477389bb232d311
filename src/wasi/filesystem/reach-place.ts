import { type BigIntStats, lstatSync } from 'node:fs';
import type { ProtectedCheck } from '../../contracts/content-gate.ts';
import { readlinkSync } from '../../lib/files/raw-fs.ts';
import { fsLimits } from '../../paths/fs-limits.ts';
import { type Opened, openBelow, statBelow } from '../../paths/open-below.ts';
import { atName } from '../../paths/open-name.ts';
import { type GuestPath, parsePath, showPath } from '../../paths/parse-path.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { textOf } from '../resource.ts';
import { failWith } from './error-code.ts';

/** A place below a root, as a list of names; whether it may be reached is not said here. */
export type Place = { root: string; segments: readonly string[] };

/**
 * Where a path leads from an open directory. `.` and `..` are resolved by the letters of the
 * path, links play no part in it; a path that leaves the directory it starts from is refused,
 * as WASI wants it, also where it would stay below the root.
 *
 * @param path as the guest gave it
 * @throws {HostFailure} `denied` for a path that leads out
 * @throws {WasiFailure} `no-entry` for an empty one
 */
export function resolveAt(from: Place, path: unknown): Place & { mustBeDirectory: boolean } {
  const text = textOf(path);
  if (text === '') throw failWith('no-entry');
  if (text.startsWith('/')) throw leadsOutError(text);
  if (text.length > fsLimits.pathBytes) throw failWith('name-too-long');
  const below: string[] = [];
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') below.push(segment);
    else if (below.pop() === undefined) throw leadsOutError(text);
  }
  return {
    root: from.root,
    segments: [...from.segments, ...below],
    mustBeDirectory: /(?:^|\/)\.{0,2}$/.test(text),
  };
}

function leadsOutError(path: string): HostFailure {
  const text = `path ${showPath(path)} leads outside of the directory it starts from`;
  return new HostFailure('denied', text, 'EPERM');
}

/** The place as a path of `cuervo:host`. */
export function pathOf({ root, segments }: Place): string {
  return `${root}:${segments.join('/')}`;
}

/** The ways from a place to what is there; each asks for protected names. All throw. */
export type PlaceReach = {
  /** Whatever it is, opened for reading, links resolved. The caller disposes it. */
  open(place: Place): Opened;
  /** @param follow false looks at a link instead of where it leads */
  look(place: Place, follow: boolean): { stats: BigIntStats; resolved: readonly string[] };
  /** where a link leads, as it is written; only when that stays below the root */
  readLink(place: Place): string;
  isWithheld(place: Place): boolean;
};

export function createPlaceReach(
  roots: ReadonlyMap<string, number>,
  isProtected: ProtectedCheck,
): PlaceReach {
  const withheld = ({ root, segments }: Place): boolean => isProtected(segments.join('/'), root);

  function parse(place: Place): GuestPath {
    const path = parsePath(pathOf(place), roots);
    refuseProtected(path, place.segments);
    return path;
  }

  function refuseProtected(path: GuestPath, segments: readonly string[]): void {
    if (!withheld({ root: path.root, segments })) return;
    throw new HostFailure('denied', `path ${path.shown} is a protected file`);
  }

  function open(place: Place): Opened {
    const path = parse(place);
    const opened = openBelow(path);
    try {
      refuseProtected(path, opened.resolved);
      return opened;
    } catch (thrown) {
      opened[Symbol.dispose]();
      throw thrown;
    }
  }

  /** The last name of a place below its opened directory, not followed. */
  function atParent<T>(
    { root, segments }: Place,
    run: (location: string | Buffer, resolved: readonly string[]) => T,
  ): T {
    const name = segments.at(-1)!;
    using parent = open({ root, segments: segments.slice(0, -1) });
    const resolved = [...parent.resolved, name];
    const path = parse({ root, segments });
    refuseProtected(path, resolved);
    if (!parent.stats.isDirectory()) throw failWith('not-directory');
    return atName(parent.fd, name, (location) => run(location, resolved));
  }

  return {
    open,
    look: (place, follow) => {
      if (!follow && place.segments.length > 0) {
        return atParent(place, (location, resolved) => ({
          stats: lstatSync(location, { bigint: true }),
          resolved,
        }));
      }
      const path = parse(place);
      const found = statBelow(path);
      refuseProtected(path, found.resolved);
      return found;
    },
    readLink: (place) => {
      if (place.segments.length === 0) throw failWith('invalid');
      return atParent(place, (location, resolved) => {
        if (!lstatSync(location).isSymbolicLink()) throw failWith('invalid');
        const target = readlinkSync(location);
        if (leadsOut(resolved.slice(0, -1), target)) throw failWith('not-permitted');
        return target;
      });
    },
    isWithheld: withheld,
  };
}

/** A target that names something outside is a name of the host's. */
function leadsOut(from: readonly string[], target: string): boolean {
  if (target.startsWith('/')) return true;
  let depth = from.length;
  for (const segment of target.split('/')) {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
