import { KernelError } from '../contracts/error.ts';
import type { PathState, RootFiles, RootPath } from '../contracts/file-changes.ts';
import { sha256 } from '../lib/sha256.ts';
import { type ChangeScope, createDirectory, removePath, writeFile } from './below/change-file.ts';
import { createLink, readLink, removeLink } from './below/change-link.ts';
import { HostFailure } from './below/host-failure.ts';
import { openDirectory } from './below/open-directory.ts';
import { closeName, openRoot } from './below/open-name.ts';
import { type GuestPath, showPath } from './below/parse-path.ts';
import { type PresentFile, readPresent } from './below/present-file.ts';
import { errorCode, systemFailure } from './below/system-failure.ts';

/**
 * The files below the roots for the kernel's own hand: what it changes is kept and recorded as
 * what a plugin changes, and passes no link either. The caller owns it.
 *
 * @param folders name of a root -> absolute directory
 * @param scope who keeps what was there, for which run
 */
export function openRootFiles(
  folders: Readonly<Record<string, string>>,
  scope: ChangeScope,
): RootFiles {
  const roots = new Map<string, number>();
  const close = (): void => {
    for (const fd of roots.values()) closeName(fd);
    roots.clear();
  };
  try {
    for (const [root, folder] of Object.entries(folders)) {
      roots.set(root, openRoot(folder));
    }
  } catch (thrown) {
    close();
    throw thrown;
  }
  const parse = (at: RootPath): GuestPath => guestPath(at, roots);
  const within = <Value>(at: RootPath, work: (path: GuestPath) => Value): Value => {
    try {
      return work(parse(at));
    } catch (thrown) {
      throw toKernelError(thrown, at);
    }
  };
  return {
    stateOf: (at) => {
      try {
        return stateOf(parse(at));
      } catch (thrown) {
        return { kind: 'other', why: systemFailure(thrown, at.path).payload.val };
      }
    },
    read: (at) => within(at, (path) => linkAt(path) ?? presentFile(path)?.bytes),
    put: (at, bytes, mode) => {
      within(at, (path) => {
        const folder = path.segments.slice(0, -1);
        if (folder.length > 0) createDirectory(scope, { ...path, segments: folder });
        removeLink(scope, path);
        writeFile(scope, path, bytes, undefined, mode);
      });
    },
    putLink: (at, target) => {
      within(at, (path) => {
        const folder = path.segments.slice(0, -1);
        if (folder.length > 0) createDirectory(scope, { ...path, segments: folder });
        if (!removeLink(scope, path) && presentFile(path) !== undefined) removePath(scope, path);
        createLink(scope, path, target);
      });
    },
    makeDirectory: (at, mode) => {
      within(at, (path) => createDirectory(scope, path, mode));
    },
    remove: (at) => {
      within(at, (path) => {
        if (!removeLink(scope, path)) removePath(scope, path);
      });
    },
    [Symbol.dispose]: close,
  };
}

/** Any name that a program could make, a guest's rules for paths or not; but never a way out. */
function guestPath({ root, path }: RootPath, roots: ReadonlyMap<string, number>): GuestPath {
  const shown = showPath(path);
  const rootFd = roots.get(root);
  if (rootFd === undefined) throw new HostFailure('denied', `there is no root "${root}"`);
  const segments = path.split('/');
  if (segments.some((name) => name === '' || name === '.' || name === '..')) {
    throw new HostFailure('invalid', `path ${shown} is no plain list of names`);
  }
  return { root, rootFd, segments, shown };
}

function stateOf(path: GuestPath): PathState {
  try {
    const link = linkAt(path);
    if (link !== undefined) return { kind: 'link', hash: sha256(link) };
    const present = presentFile(path);
    if (present === undefined) return { kind: 'absent' };
    return { kind: 'file', hash: present.hash, mode: present.stats.mode & 0o777 };
  } catch (thrown) {
    // Where a file stands in place of a folder, nothing stands below it.
    if (/^(?:ENOENT|ENOTDIR)$/.test(errorCode(thrown) ?? '')) return { kind: 'absent' };
    if (thrown instanceof HostFailure && isDirectory(path)) return { kind: 'directory' };
    throw thrown;
  }
}

function linkAt(path: GuestPath): Uint8Array | undefined {
  using parent = openDirectory(path, path.segments.slice(0, -1));
  return readLink(parent.fd, path.segments.at(-1) ?? '');
}

function presentFile(path: GuestPath): PresentFile | undefined {
  using parent = openDirectory(path, path.segments.slice(0, -1));
  return readPresent(path, parent.fd, path.segments.at(-1) ?? '');
}

function isDirectory(path: GuestPath): boolean {
  try {
    using _directory = openDirectory(path, path.segments);
    return true;
  } catch {
    return false;
  }
}

const codes = {
  denied: 'permission-denied',
  'not-found': 'not-found',
  invalid: 'invalid-argument',
  limit: 'resource-exhausted',
  timeout: 'deadline-exceeded',
  conflict: 'conflict',
  io: 'unavailable',
} as const;

function toKernelError(thrown: unknown, { path }: RootPath): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const { tag, val } = systemFailure(thrown, path).payload;
  return new KernelError(codes[tag], val, { cause: thrown });
}
