import {
  fchmodSync,
  fstatSync,
  fsync,
  mkdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { type BatchKeeper, type FileChange, linkMode } from '../contracts/file-changes.ts';
import {
  type ChangeScope,
  changeFailure,
  changeOf,
  openParent,
  renameName,
} from './change-file.ts';
import { openDirectory } from './open-below.ts';
import {
  atName,
  closeName,
  directoryFlags,
  newDirectoryMode,
  newFileFlags,
  openName,
} from './open-name.ts';
import { type GuestPath, newPartName } from './parse-path.ts';
import { expectSame, type Present, presentAt, readLink } from './present-file.ts';
import { errorCode, HostFailure } from './system-failure.ts';

/** The keeper of earlier content, and the run of the changes. */
export type BatchScope = Pick<ChangeScope, 'run' | 'step'> & { keeper: BatchKeeper };

/** The wanted content of a path; `hash` is the hash of what `bytes()` returns. */
export type Wanted = { path: GuestPath } & (
  | { kind: 'absent' }
  | { kind: 'directory'; mode: number }
  | { kind: 'file'; hash: string; bytes(): Uint8Array; mode: number }
  | { kind: 'link'; hash: string; bytes(): Uint8Array }
);

type Content = Extract<Wanted, { hash: string }>;

/** A change of names, with its rows in the journal. */
type Operation = {
  path: GuestPath;
  rows: Omit<FileChange, 'ts'>[];
  make(): void;
};

/** Files that are open at once, to be synced together: the file system then waits once for many. */
const openAtOnce = 64;
const sync = promisify(fsync);

/**
 * Changes many paths, for the kernel itself. All new bytes are written beside their places and
 * brought to the disk first, then names are changed one by one, and their folders are synced at the
 * end: a crash, or a full disk, leaves each file the old one or the new one. The rows of all
 * changes are written before the first and those that were not made are taken out again.
 *
 * Removals come first, the deepest paths before the folders above, so that a file can replace a
 * directory and the other way round.
 *
 * @returns paths of directories that still hold other things and stay
 * @throws {HostFailure} and errors of the system; what was changed until then stays changed
 */
export async function changeAll(
  scope: BatchScope,
  wanted: readonly Wanted[],
): Promise<GuestPath[]> {
  const staged = new Map<GuestPath, Staged>();
  const left: GuestPath[] = [];
  const removals: Operation[] = [];
  const folders: Operation[] = [];
  const contents: Operation[] = [];
  const linkAbove = linksInTheWay(wanted);
  const look = (path: GuestPath): Present =>
    linkAbove(path) === undefined ? presentAt(path) : { kind: 'absent' };
  const missing = missingFolders(wanted, look);
  for (const want of wanted) {
    const now = look(want.path);
    const isInTheWay =
      now.kind !== 'absent' &&
      (want.kind === 'absent' || (now.kind === 'directory') !== (want.kind === 'directory'));
    if (isInTheWay) removals.push(removal(scope, want.path, now));
    if (want.kind === 'directory') {
      if (now.kind !== 'directory') folders.push(newFolder(scope, want.path, want.mode));
    } else if (want.kind !== 'absent') {
      const before = isInTheWay ? ({ kind: 'absent' } as const) : now;
      contents.push(replacement(scope, want, before, () => staged.get(want.path)));
    }
  }
  for (const path of missing) folders.push(newFolder(scope, path));
  removals.sort((one, other) => depth(other.path) - depth(one.path));
  folders.sort((one, other) => depth(one.path) - depth(other.path));
  const operations = [...removals, ...folders, ...contents];
  const placing = new Set(contents);
  const rows = operations.flatMap((operation) => operation.rows.map((row) => ({ row, operation })));
  const touched = new Map<string, GuestPath>();
  try {
    await scope.keeper.recordAll(
      rows.map(({ row }) => row),
      async (isMade) => {
        await stageAll(wanted.filter(isContent), { staged, linkAbove });
        const made = new Set<Operation>();
        try {
          for (const operation of operations) {
            if (left.includes(operation.path)) continue;
            if (isDone(operation, removals)) made.add(operation);
            else left.push(operation.path);
            for (const path of [operation.path, staged.get(operation.path)?.at]) {
              if (path !== undefined) touched.set(folderKey(path), path);
            }
            // The new file is in its place now, so it is no leftover to remove.
            if (placing.has(operation) && made.has(operation)) staged.delete(operation.path);
          }
        } finally {
          for (const [index, { operation }] of rows.entries())
            if (made.has(operation)) isMade(index);
        }
      },
    );
  } finally {
    for (const { at, name } of staged.values()) discard(at, name);
    await syncFolders(touched.values());
  }
  return left;
}

/** False for a directory that holds other things and stays. */
function isDone(operation: Operation, removals: readonly Operation[]): boolean {
  try {
    operation.make();
    return true;
  } catch (thrown) {
    const holdsMore = /^(?:ENOTEMPTY|EEXIST)$/.test(errorCode(thrown) ?? '');
    if (holdsMore && removals.includes(operation)) return false;
    throw changeFailure(thrown, operation.path.shown);
  }
}

function removal(
  scope: BatchScope,
  path: GuestPath,
  now: Exclude<Present, { kind: 'absent' }>,
): Operation {
  const row = { ...changeOf(scope, path), kind: 'remove' as const };
  if (now.kind === 'directory') {
    return {
      ...{ path, rows: [{ ...row, mode: now.mode }] },
      make: () => at(path, (fd, name) => atName(fd, name, (location) => rmdirSync(location))),
    };
  }
  const expect = expectation(path, now);
  return {
    ...{ path, rows: [{ ...row, ...kept(scope, now) }] },
    make: () =>
      at(path, (fd, name) => {
        expect(fd, name);
        atName(fd, name, (location) => unlinkSync(location));
      }),
  };
}

/** Keeps the present content and returns its hash and permission bits. */
function kept(
  scope: BatchScope,
  now: Extract<Present, { kind: 'file' | 'link' }>,
): { beforeHash: string; mode: number } {
  return now.kind === 'file'
    ? { beforeHash: scope.keeper.keep(now.file.bytes), mode: now.file.stats.mode & 0o777 }
    : { beforeHash: scope.keeper.keep(now.target), mode: linkMode | 0o777 };
}

/** @param exact mode of a folder that existed before; a new one gets what the umask leaves */
function newFolder(scope: BatchScope, path: GuestPath, exact?: number): Operation {
  const mode = exact ?? newDirectoryMode;
  return {
    ...{ path, rows: [{ ...changeOf(scope, path), kind: 'create', mode }] },
    make: () =>
      at(path, (fd, name) => {
        atName(fd, name, (location) => mkdirSync(location, { mode }));
        if (exact !== undefined) setMode(fd, name, exact);
      }),
  };
}

/** A folder keeps what it inherits, like its group. */
function setMode(directoryFd: number, name: string, mode: number): void {
  const fd = openName(directoryFd, name, directoryFlags);
  try {
    const now = fstatSync(fd).mode;
    if ((now & 0o777) !== mode) fchmodSync(fd, (now & 0o7000) | mode);
  } finally {
    closeName(fd);
  }
}

/** A file or a link, in one step in place of a file or a link. */
function replacement(
  scope: BatchScope,
  want: Content,
  before: Present,
  stagedOf: () => Staged | undefined,
): Operation {
  const { path, hash: afterHash } = want;
  const row = changeOf(scope, path);
  const mode = want.kind === 'link' ? linkMode | 0o777 : want.mode;
  const rows: Omit<FileChange, 'ts'>[] = [];
  if (before.kind === want.kind) {
    const old = kept(scope, before);
    const afterMode = old.mode === mode ? {} : { afterMode: mode };
    rows.push({ ...row, kind: 'write', ...old, afterHash, ...afterMode });
  } else {
    if (before.kind === 'file' || before.kind === 'link') {
      rows.push({ ...row, kind: 'remove', ...kept(scope, before) });
    }
    rows.push({ ...row, kind: 'create', afterHash, mode });
  }
  const expect = expectation(path, before);
  return {
    ...{ path, rows },
    make: () => {
      const staged = stagedOf();
      if (staged === undefined) throw new HostFailure('io', `path ${path.shown} was not written`);
      using source = openDirectory(path, staged.at.segments.slice(0, -1));
      at(path, (fd, name) => {
        expect(fd, name);
        renameName({ fd: source.fd, name: staged.name }, { fd, name });
      });
    },
  };
}

/** A check right before the change that the path is still as it was, without reading its bytes. */
function expectation(path: GuestPath, now: Present): (fd: number, name: string) => void {
  if (now.kind === 'link') {
    const { target } = now;
    return (fd, name) => {
      if (readLink(fd, name)?.equals(target) === true) return;
      throw new HostFailure('conflict', `path ${path.shown} was changed during the call`);
    };
  }
  const before = now.kind === 'file' ? { stats: now.file.stats } : undefined;
  return (fd, name) => expectSame(path, fd, name, before);
}

/** The temporary place of a path's new bytes: `at` with another last name. */
type Staged = { at: GuestPath; name: string };

/** @property linkAbove as `linksInTheWay` gives it */
type Staging = {
  staged: Map<GuestPath, Staged>;
  linkAbove(path: GuestPath): GuestPath | undefined;
};

async function stageAll(wanted: readonly Content[], staging: Staging): Promise<void> {
  for (let from = 0; from < wanted.length; from += openAtOnce) {
    const open = new Map<number, GuestPath>();
    try {
      for (const want of wanted.slice(from, from + openAtOnce)) {
        const fd = stage(want, staging);
        if (fd !== undefined) open.set(fd, want.path);
      }
      await syncAll(open);
    } finally {
      for (const fd of open.keys()) closeName(fd);
    }
  }
}

/** Waits for all of them, so that none is closed while the system still works on it. */
async function syncAll(open: ReadonlyMap<number, GuestPath>): Promise<void> {
  const done = await Promise.allSettled([...open.keys()].map((fd) => sync(fd)));
  for (const [index, path] of [...open.values()].entries()) {
    const result = done[index];
    if (result?.status === 'rejected') throw changeFailure(result.reason, path.shown);
  }
}

/**
 * @returns the open file, still to be synced; undefined for a link, which its folder's sync covers
 */
function stage(want: Content, { staged, linkAbove }: Staging): number | undefined {
  const name = newPartName();
  const bytes = want.bytes();
  let fd: number | undefined;
  try {
    using folder = openNearest(linkAbove(want.path) ?? want.path);
    staged.set(want.path, { at: folder.at, name });
    if (want.kind === 'link') {
      atName(folder.fd, name, (location) => symlinkSync(Buffer.from(bytes), location));
      return undefined;
    }
    fd = openName(folder.fd, name, newFileFlags, 0o600);
    writeFileSync(fd, bytes);
    fchmodSync(fd, want.mode);
    return fd;
  } catch (thrown) {
    if (fd !== undefined) closeName(fd);
    throw changeFailure(thrown, want.path.shown);
  }
}

/** Opens the folder of a path, or the nearest existing one above it. */
function openNearest(path: GuestPath): Disposable & { fd: number; at: GuestPath } {
  for (let { segments } = path; ; segments = segments.slice(0, -1)) {
    try {
      const folder = openDirectory(path, segments.slice(0, -1));
      return { ...folder, at: { ...path, segments } };
    } catch (thrown) {
      const isMissing = /^(?:ENOENT|ENOTDIR)$/.test(errorCode(thrown) ?? '');
      if (!isMissing || segments.length <= 1) throw thrown;
    }
  }
}

function discard(path: GuestPath, name: string): void {
  try {
    using folder = openDirectory(path, path.segments.slice(0, -1));
    atName(folder.fd, name, (location) => rmSync(location, { force: true }));
  } catch {
    // Ignored: the folder is gone with the part, or the part is swept later.
  }
}

/**
 * Finds links that will be replaced by a directory. Nothing exists below such a link yet, wherever
 * it leads.
 *
 * @returns a function that gives the link above a path
 */
function linksInTheWay(wanted: readonly Wanted[]): (path: GuestPath) => GuestPath | undefined {
  const links = new Map<string, GuestPath>();
  const above = (path: GuestPath): GuestPath | undefined => {
    for (let count = 1; links.size > 0 && count < path.segments.length; count += 1) {
      const link = links.get(keyOf({ ...path, segments: path.segments.slice(0, count) }));
      if (link !== undefined) return link;
    }
    return undefined;
  };
  const directories = wanted.filter(({ kind }) => kind === 'directory').map(({ path }) => path);
  for (const path of directories.sort((one, other) => depth(one) - depth(other))) {
    if (above(path) === undefined && presentAt(path).kind === 'link') links.set(keyOf(path), path);
  }
  return above;
}

/** Missing folders above the wanted paths that are not wanted themselves. */
function missingFolders(
  wanted: readonly Wanted[],
  look: (path: GuestPath) => Present,
): GuestPath[] {
  const known = new Map<string, boolean>();
  for (const { kind, path } of wanted) if (kind === 'directory') known.set(keyOf(path), true);
  const missing: GuestPath[] = [];
  for (const { kind, path } of wanted) {
    if (kind === 'absent') continue;
    for (let count = 1; count < path.segments.length; count += 1) {
      const above = { ...path, segments: path.segments.slice(0, count) };
      const key = keyOf(above);
      const isThere = known.get(key) ?? look(above).kind !== 'absent';
      if (!isThere) missing.push(above);
      known.set(key, true);
    }
  }
  return missing;
}

/** Makes changes of names outlive a power cut, where the file system can promise that. */
async function syncFolders(paths: Iterable<GuestPath>): Promise<void> {
  for (const path of paths) {
    try {
      using folder = openDirectory(path, path.segments.slice(0, -1));
      await sync(folder.fd);
    } catch {
      // Ignored: the folder is gone, or its file system cannot sync it; the changes are visible.
    }
  }
}

function at(path: GuestPath, use: (fd: number, name: string) => void): void {
  using parent = openParent(path);
  use(parent.fd, parent.name);
}

function isContent(want: Wanted): want is Content {
  return want.kind === 'file' || want.kind === 'link';
}

function depth({ segments }: GuestPath): number {
  return segments.length;
}

function keyOf({ root, segments }: GuestPath): string {
  return `${root}:${segments.join('/')}`;
}

function folderKey({ root, segments }: GuestPath): string {
  return `${root}:${segments.slice(0, -1).join('/')}`;
}
