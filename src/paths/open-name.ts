import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { lstatSync, rawPath } from '../lib/files/raw-fs.ts';
import { windowsNameFault } from './parse-path.ts';

/**
 * The one place that knows how a name below an open directory is reached.
 *
 * By `descriptor`, on Linux: `/proc/self/fd/N/NAME` is `openat(N, NAME)`. Whatever is renamed,
 * removed or put in the place of a directory meanwhile, the name is looked up in the directory
 * that was opened.
 *
 * By `path`, elsewhere: Node has no `openat`, so the path of an open directory is kept, and each
 * step looks before and behind that this path still leads to the directory that is open, and
 * that what was opened is what lies there and no link. What is left open:
 *
 * - A program that swaps a directory for a link at the very moment of opening, has it back for
 *   the look behind, swaps it once more for the look at the name, and back again for the last
 *   one, is not noticed. A guest cannot: it swaps nothing while its host call runs.
 * - A change of names (make, rename, remove) cannot be looked at before it is made. One that
 *   went astray in the same way is reported, not taken back.
 * - What another program replaces during a call may fail the call (`conflict`), where Linux
 *   would have read the one or the other.
 * - On Windows a file has more names than one: see `windowsNameFault()`.
 */
export type Way = 'descriptor' | 'path';

/** @param platform as `process.platform` */
export function wayOn(platform: string): Way {
  return platform === 'linux' ? 'descriptor' : 'path';
}

/** The only place that tells the system not to follow links. Windows has no such flag. */
const noFollow = constants.O_NOFOLLOW;

/** A directory, opened as one segment below the descriptor of its parent. */
export const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | noFollow;

/** Anything else; a fifo or a terminal must neither block nor take over the process. */
export const fileFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | noFollow;

/** Anything, to be named but not read: Linux's O_PATH, which Node does not define. */
export const placeFlags = 0o10000000 | noFollow;

/** A new file; an existing one is an error. */
export const newFileFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;

/** The usual modes of programs; the umask or a folder's default ACL reduces them. */
export const newFileMode = 0o666;
export const newDirectoryMode = 0o777;

type Identity = { dev: bigint; ino: bigint };

/** An open directory that is reached by its path. */
type Known = Identity & { path: string };

/** Open directories that are reached by path. Others are reached by their descriptor. */
const knownByPath = new Map<number, Known>();

/** Fast for an empty map: a search asks twice for each file. */
function knownAt(fd: number): Known | undefined {
  return knownByPath.size === 0 ? undefined : knownByPath.get(fd);
}

/** How often a step is tried again when another program replaces the name meanwhile. */
const maxAttempts = 3;

/**
 * Opens the directory that guests' paths start from. The caller closes it with `closeName()`.
 *
 * @param folder absolute; where names are reached by path, without links
 */
export function openRoot(folder: string, way: Way = wayOn(process.platform)): number {
  const fd = openSync(rawPath(folder), directoryFlags);
  if (way === 'descriptor') return fd;
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    const known = { path: folder, dev, ino };
    expectInPlace(known);
    knownByPath.set(fd, known);
    return fd;
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

/**
 * Opens one name below an open directory; `.` is the directory itself. The caller closes it with
 * `closeName()`.
 *
 * @param flags one of those above
 * @throws errors of the system: `ELOOP` or `ENOTDIR` for a link
 */
export function openName(directoryFd: number, name: string, flags: number, mode?: number): number {
  const known = knownAt(directoryFd);
  if (known === undefined) return openSync(rawPath(pathInside(directoryFd) + name), flags, mode);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return openByPath(known, name, flags, mode);
    } catch (thrown) {
      if (!(thrown instanceof Replaced) || attempt === maxAttempts) throw thrown;
    }
  }
}

/** Closes anything that was opened here. */
export function closeName(fd: number): void {
  if (knownByPath.size > 0) knownByPath.delete(fd);
  closeSync(fd);
}

/**
 * Runs an operation on one name below an open directory; it must neither open nor follow it.
 *
 * @param name '' for the directory itself, to which names are then added
 * @param use told the location, which holds only during the call
 */
export function atName<T>(
  directoryFd: number,
  name: string,
  use: (location: string | Buffer) => T,
): T {
  const known = knownAt(directoryFd);
  if (known === undefined) return use(rawPath(pathInside(directoryFd) + name));
  refuseAlias(name);
  expectInPlace(known);
  const value = use(rawPath(locationOf(known, name)));
  expectInPlace(known);
  return value;
}

/** The path below an open directory: with a single segment behind it, this is `openat`. */
function pathInside(directoryFd: number): string {
  return `/proc/self/fd/${directoryFd}/`;
}

function locationOf({ path }: Known, name: string): string {
  return path.endsWith('/') ? path + name : `${path}/${name}`;
}

function openByPath(known: Known, name: string, flags: number, mode: number | undefined): number {
  refuseAlias(name);
  expectInPlace(known);
  const path = name === '.' ? known.path : locationOf(known, name);
  if (flags !== newFileFlags) {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) throw new SystemFault('ELOOP');
    if (flags === directoryFlags && !found.isDirectory()) throw new SystemFault('ENOTDIR');
  }
  const fd = openSync(rawPath(path), flags, mode);
  try {
    const opened = fstatSync(fd, { bigint: true });
    if (!isSame(opened, lstatSync(path, { bigint: true }))) throw new Replaced();
    expectInPlace(known);
    const isDirectory = opened.isDirectory();
    if (flags === directoryFlags && !isDirectory) throw new SystemFault('ENOTDIR');
    if (isDirectory) {
      const { dev, ino } = opened;
      knownByPath.set(fd, { path, dev, ino });
    }
    return fd;
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

/** The directory is open, so the system cannot give its inode number to another one. */
function expectInPlace(known: Known): void {
  if (!isSame(known, lstatSync(known.path, { bigint: true }))) throw new Replaced();
}

function isSame(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function refuseAlias(name: string): void {
  if (process.platform === 'win32' && windowsNameFault(name)) throw new SystemFault('ENOENT');
}

/** An error in the system's words, without a path of the host. */
class SystemFault extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

class Replaced extends SystemFault {
  constructor() {
    super('ESTALE');
  }
}
