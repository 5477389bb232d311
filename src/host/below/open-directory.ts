import { closeSync, lstatSync, openSync } from 'node:fs';
import { HostFailure } from './host-failure.ts';
import { below, directoryFlags } from './open-below.ts';
import type { GuestPath } from './parse-path.ts';
import { errorCode } from './system-failure.ts';

/**
 * Opens a directory below a root for what is written in it. Unlike reading, no link is passed,
 * not even one that stays inside: a path that is written is where it says.
 *
 * @param segments of the directory, relative to the root
 * @param onMissing makes a directory that there is not, the last of the segments it is given
 * @throws {HostFailure} `denied` for a link; system errors are left as they are
 */
export function openDirectory(
  path: GuestPath,
  segments: readonly string[],
  onMissing?: (directoryFd: number, made: readonly string[]) => void,
): Disposable & { fd: number } {
  let fd = path.rootFd;
  const leave = (): void => {
    if (fd !== path.rootFd) closeSync(fd);
  };
  try {
    for (const [index, name] of segments.entries()) {
      const make = onMissing && (() => onMissing(fd, segments.slice(0, index + 1)));
      const next = enter(path, below(fd) + name, make);
      leave();
      fd = next;
    }
  } catch (thrown) {
    leave();
    throw thrown;
  }
  return { fd, [Symbol.dispose]: leave };
}

function enter(path: GuestPath, location: string, make: (() => void) | undefined): number {
  try {
    return openSync(location, directoryFlags);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT' && make !== undefined) {
      make();
      return openSync(location, directoryFlags);
    }
    if (lstatSync(location, { throwIfNoEntry: false })?.isSymbolicLink()) throw isLink(path);
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
