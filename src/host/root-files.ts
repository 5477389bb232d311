import { readdirSync, rmSync } from 'node:fs';
import { KernelError } from '../contracts/error.ts';
import type { PathState, RootFiles, RootPath } from '../contracts/file-changes.ts';
import { sha256 } from '../lib/sha256.ts';
import { type BatchScope, changeAll } from '../paths/change-all.ts';
import { changeFailure } from '../paths/change-file.ts';
import { openDirectory } from '../paths/open-below.ts';
import { atName, closeName, openRoot } from '../paths/open-name.ts';
import { type GuestPath, partOwner, showPath } from '../paths/parse-path.ts';
import { presentAt } from '../paths/present-file.ts';
import { HostFailure, systemFailure } from '../paths/system-failure.ts';

/**
 * The files below the roots for the kernel's own hand: what it changes is kept and recorded as
 * what a plugin changes, and passes no link either. The caller owns it.
 *
 * @param folders name of a root -> absolute directory
 * @param scope who keeps what was there, for which run
 */
export function openRootFiles(
  folders: Readonly<Record<string, string>>,
  scope: BatchScope,
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
  return {
    stateOf: (at) => {
      try {
        return stateOf(parse(at));
      } catch (thrown) {
        const { val } = systemFailure(thrown, showPath(at.path)).payload;
        return { kind: 'other', why: val.replace(`path ${showPath(at.path)} `, () => '') };
      }
    },
    read: (at) => {
      try {
        const present = presentAt(parse(at));
        if (present.kind === 'link') return present.target;
        return present.kind === 'file' ? present.file.bytes : undefined;
      } catch (thrown) {
        throw toKernelError(thrown, at.path);
      }
    },
    become: async (wanted) => {
      try {
        const left = await changeAll(
          scope,
          wanted.map((each) => ({ ...each, path: parse(each) })),
        );
        return left.map(({ root, segments }) => ({ root, path: segments.join('/') }));
      } catch (thrown) {
        throw toKernelError(thrown, wanted[0]?.path ?? '');
      }
    },
    removeParts: (paths, owner) => {
      const folders = new Map(
        paths
          .map(parse)
          .map((path) => [`${path.root}:${path.segments.slice(0, -1).join('/')}`, path]),
      );
      for (const path of folders.values()) removeParts(path, owner);
    },
    [Symbol.dispose]: close,
  };
}

/** Folders on the way to a path. */
function removeParts(path: GuestPath, owner: number): void {
  try {
    using folder = openDirectory(path, path.segments.slice(0, -1));
    const names = atName(folder.fd, '', (location) => readdirSync(location));
    for (const name of names) {
      if (partOwner(name) !== owner) continue;
      atName(folder.fd, name, (location) => rmSync(location, { force: true }));
    }
  } catch {
    // A folder that is gone holds none; in one that cannot be written they are swept later.
  }
}

/** Any name that a program could make, a guest's rules for paths or not; but never a way out. */
function guestPath({ root, path }: RootPath, roots: ReadonlyMap<string, number>): GuestPath {
  const shown = showPath(path);
  const rootFd = roots.get(root);
  if (rootFd === undefined) throw new HostFailure('denied', `there is no root "${root}"`);
  const segments = path.split('/');
  if (segments.some((name) => name === '' || name === '.' || name === '..')) {
    throw new HostFailure('invalid', `path ${shown} is not a plain list of names`);
  }
  return { root, rootFd, segments, shown };
}

function stateOf(path: GuestPath): PathState {
  const present = presentAt(path);
  if (present.kind === 'link') return { kind: 'link', hash: sha256(present.target) };
  if (present.kind !== 'file') return { kind: present.kind };
  const { hash, stats } = present.file;
  return { kind: 'file', hash, mode: stats.mode & 0o777 };
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

/** For the kernel's own hand: no grant opens more to it, and what it did until then stays done. */
const hints: Readonly<Partial<Record<keyof typeof codes, string>>> = {
  denied: 'Make it writable for you, then run the command again: it goes on where it stopped.',
  limit: 'Free some space there, then run the command again.',
  conflict: 'Look at what is there now, then run the command again.',
  io: 'Check the disk that holds it, then run the command again.',
};

function toKernelError(thrown: unknown, path: string): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const { tag, val } = changeFailure(thrown, showPath(path)).payload;
  const hint = hints[tag];
  return new KernelError(codes[tag], val, {
    cause: thrown,
    ...(hint === undefined ? {} : { hint }),
  });
}
