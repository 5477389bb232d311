import { lstatSync } from 'node:fs';
import { HostFailure } from './host-failure.ts';
import { atName, closeName, directoryFlags, openName } from './open-name.ts';
import type { GuestPath } from './parse-path.ts';
import { errorCode } from './system-failure.ts';

/**
 * Opens a directory below a root for what is written in it. Unlike reading, no link is passed,
 * not even one that stays inside: a path that is written is where it says.
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
