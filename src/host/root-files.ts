import { closeSync, openSync } from 'node:fs';
import { KernelError } from '../contracts/error.ts';
import type { PathState, RootFiles, RootPath } from '../contracts/file-changes.ts';
import { type ChangeScope, createDirectory, removePath, writeFile } from './below/change-file.ts';
import { HostFailure } from './below/host-failure.ts';
import { directoryFlags } from './below/open-below.ts';
import { openDirectory } from './below/open-directory.ts';
import { type GuestPath, parsePath } from './below/parse-path.ts';
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
    for (const fd of roots.values()) closeSync(fd);
    roots.clear();
  };
  try {
    for (const [root, folder] of Object.entries(folders)) {
      roots.set(root, openSync(folder, directoryFlags));
    }
  } catch (thrown) {
    close();
    throw thrown;
  }
  const parse = ({ root, path }: RootPath): GuestPath => parsePath(`${root}:${path}`, roots);
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
    read: (at) => within(at, (path) => presentFile(path)?.bytes),
    put: (at, bytes, mode) => {
      within(at, (path) => {
        const folder = path.segments.slice(0, -1);
        if (folder.length > 0) createDirectory(scope, { ...path, segments: folder });
        writeFile(scope, path, bytes, undefined, mode);
      });
    },
    makeDirectory: (at) => {
      within(at, (path) => createDirectory(scope, path));
    },
    remove: (at) => {
      within(at, (path) => removePath(scope, path));
    },
    [Symbol.dispose]: close,
  };
}

function stateOf(path: GuestPath): PathState {
  try {
    const present = presentFile(path);
    return present === undefined ? { kind: 'absent' } : { kind: 'file', hash: present.hash };
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return { kind: 'absent' };
    if (thrown instanceof HostFailure && isDirectory(path)) return { kind: 'directory' };
    throw thrown;
  }
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
