import {
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import type { ChangeKeeper, FileChange } from '../contracts/file-changes.ts';
import type { HostErrorCase } from '../contracts/tool.ts';
import { sha256 } from '../lib/sha256.ts';
import { openDirectory } from './open-below.ts';
import {
  atName,
  closeName,
  newDirectoryMode,
  newFileFlags,
  newFileMode,
  openName,
} from './open-name.ts';
import { type GuestPath, newPartName } from './parse-path.ts';
import { expectSame, lookAtName, readOnlyMode, readPresent } from './present-file.ts';
import { errorCode, HostFailure, systemFailure } from './system-failure.ts';

const casesByCode: Readonly<Record<string, readonly [HostErrorCase, string]>> = {
  ENOSPC: ['limit', 'was not written: the disk is full'],
  EDQUOT: ['limit', 'was not written: the quota of the disk is used up'],
  EFBIG: ['limit', 'was not written: it is too large for its file system'],
  EACCES: ['denied', 'cannot be written by this user'],
  EPERM: ['denied', 'cannot be written by this user'],
  EROFS: ['denied', 'is on a read-only file system'],
  EXDEV: ['denied', 'leads to another file system'],
  EBUSY: ['denied', 'is in use by the system'],
  EEXIST: ['conflict', 'exists already'],
  ENOTEMPTY: ['conflict', 'is not an empty directory'],
};

/**
 * The error of a change of a file, as a `HostFailure` about the path.
 *
 * @param shown the path, quoted
 */
export function changeFailure(thrown: unknown, shown: string): HostFailure {
  const code = errorCode(thrown);
  const known = casesByCode[code ?? ''];
  if (known === undefined || thrown instanceof HostFailure) return systemFailure(thrown, shown);
  return new HostFailure(known[0], `path ${shown} ${known[1]}`, code);
}

/** The keeper of earlier content, and the run of the change. */
export type ChangeScope = {
  keeper: ChangeKeeper;
  /** a person agreed to the change, knowing that the file is read-only */
  isAgreed?: boolean;
  /** adds a sentence to the tool's result */
  remark?(text: string): void;
  run?: string | undefined;
  step?: string | undefined;
};

/** Opens the folder of a path. The caller disposes it. */
export function openParent(path: GuestPath): Disposable & { fd: number; name: string } {
  const directory = openDirectory(path, path.segments.slice(0, -1));
  return { ...directory, name: path.segments.at(-1) ?? '' };
}

export function changeOf(
  { run, step }: Pick<ChangeScope, 'run' | 'step'>,
  path: GuestPath,
): Pick<FileChange, 'run' | 'step' | 'root' | 'path'> {
  return {
    ...(run === undefined ? {} : { run }),
    ...(step === undefined ? {} : { step }),
    root: path.root,
    path: path.segments.join('/'),
  };
}

/** @param expectHash SHA-256 of the file that is written over; undefined takes any, or none */
export function writeFile(
  scope: ChangeScope,
  path: GuestPath,
  bytes: Uint8Array,
  expectHash: string | undefined,
): void {
  using parent = openParent(path);
  const before = readPresent(path, parent.fd, parent.name);
  if (expectHash !== undefined && before?.hash !== expectHash) {
    const text = before === undefined ? 'no longer exists' : 'is not what was read';
    throw new HostFailure('conflict', `path ${path.shown} ${text}`);
  }
  if (before !== undefined) requireAgreed(scope, path, parent, before.stats);
  // Drop the setuid and setgid bits: a guest's bytes must not get an owner's rights.
  const mode = before && before.stats.mode & 0o777;
  const afterHash = sha256(bytes);
  const change = { ...changeOf(scope, path), afterHash, mode: mode ?? usualMode };
  const beforeHash = before && scope.keeper.keep(before.bytes);
  const isSame = (): void => expectSame(path, parent.fd, parent.name, before);
  // Write the row first: after a crash it leads to the temporary file.
  const write = (): number => writeWhole(parent.fd, parent.name, { bytes, mode }, isSame);
  if (beforeHash === undefined) scope.keeper.record({ ...change, kind: 'create' }, write);
  else scope.keeper.record({ ...change, kind: 'write', beforeHash }, write);
  const others = (before?.stats.nlink ?? 1) - 1;
  if (others < 1) return;
  const names = others === 1 ? 'another name (a hard link)' : `${others} other names (hard links)`;
  scope.remark?.(`path ${path.shown} had ${names}, which still has the old content`);
}

/** Mode of most new files; the real one is recorded once the file is there. */
const usualMode = 0o644;

/** @throws {HostFailure} `denied` for a read-only file if no person agreed */
function requireAgreed(
  { isAgreed }: ChangeScope,
  path: GuestPath,
  parent: { fd: number; name: string },
  stats: Stats,
): void {
  const mode = isAgreed ? undefined : readOnlyMode(parent.fd, parent.name, stats);
  if (mode !== undefined) throw new HostFailure('denied', readOnlyText(path, mode));
}

export function readOnlyText({ shown }: GuestPath, mode: string): string {
  return `path ${shown} is read-only (mode ${mode})`;
}

export function createDirectory(scope: ChangeScope, path: GuestPath): void {
  const mode = newDirectoryMode;
  using _made = openDirectory(path, path.segments, (directoryFd, segments) => {
    const change = { ...changeOf(scope, { ...path, segments }), kind: 'create' as const, mode };
    scope.keeper.record(change, () => {
      atName(directoryFd, segments.at(-1) ?? '', (location) => mkdirSync(location, { mode }));
    });
    syncDirectory(directoryFd);
  });
}

export function renameFile(scope: ChangeScope, from: GuestPath, to: GuestPath): void {
  if (from.root !== to.root) {
    const text = `path ${from.shown} is of root ${from.root} and ${to.shown} of ${to.root}; a file is renamed within one root`;
    throw new HostFailure('denied', text);
  }
  using source = openParent(from);
  using directory = openParent(to);
  const before = readPresent(from, source.fd, source.name);
  if (before === undefined) throw new HostFailure('not-found', `path ${from.shown} does not exist`);
  if (lookAtName(to, directory.fd, directory.name) !== undefined) {
    throw new HostFailure('conflict', `path ${to.shown} already exists`);
  }
  const hash = scope.keeper.keep(before.bytes);
  const change = {
    ...changeOf(scope, from),
    kind: 'rename' as const,
    target: to.segments.join('/'),
    beforeHash: hash,
    afterHash: hash,
    mode: before.stats.mode & 0o777,
  };
  scope.keeper.record(change, () => {
    expectSame(from, source.fd, source.name, before);
    renameName(source, directory);
  });
  syncDirectory(source.fd);
  syncDirectory(directory.fd);
}

export function removePath(scope: ChangeScope, path: GuestPath): void {
  using parent = openParent(path);
  const stats = lookAtName(path, parent.fd, parent.name);
  if (stats === undefined) throw new HostFailure('not-found', `path ${path.shown} does not exist`);
  const change = { ...changeOf(scope, path), kind: 'remove' as const, mode: stats.mode & 0o777 };
  if (stats.isDirectory()) {
    scope.keeper.record(change, () => atName(parent.fd, parent.name, (at) => rmdirSync(at)));
  } else {
    requireAgreed(scope, path, parent, stats);
    const before = readPresent(path, parent.fd, parent.name);
    if (before === undefined)
      throw new HostFailure('not-found', `path ${path.shown} does not exist`);
    const beforeHash = scope.keeper.keep(before.bytes);
    scope.keeper.record({ ...change, beforeHash }, () => {
      expectSame(path, parent.fd, parent.name, before);
      atName(parent.fd, parent.name, (at) => unlinkSync(at));
    });
  }
  syncDirectory(parent.fd);
}

/**
 * Puts a file under a name of an open directory in one step: a reader, or a crash, sees the old one
 * or the new one. A failure leaves nothing behind.
 *
 * @param content.mode exact; a new file has none, and gets what the umask and the folder leave of
 *   `newFileMode`
 * @param check looks once more, right before the new file gets its name
 * @returns the permission bits of the file
 */
function writeWhole(
  directoryFd: number,
  name: string,
  content: { bytes: Uint8Array; mode?: number | undefined },
  check: () => void,
): number {
  const partial = newPartName();
  const { mode } = content;
  const fd = openName(directoryFd, partial, newFileFlags, mode === undefined ? newFileMode : 0o600);
  let given: number;
  try {
    try {
      writeFileSync(fd, content.bytes);
      if (mode !== undefined) fchmodSync(fd, mode);
      given = fstatSync(fd).mode & 0o777;
      fsyncSync(fd);
    } finally {
      closeName(fd);
    }
    check();
    renameName({ fd: directoryFd, name: partial }, { fd: directoryFd, name });
  } catch (thrown) {
    atName(directoryFd, partial, (location) => rmSync(location, { force: true }));
    throw thrown;
  }
  syncDirectory(directoryFd);
  return given;
}

/** Renames an entry of an open directory. */
export function renameName(
  from: { fd: number; name: string },
  to: { fd: number; name: string },
): void {
  atName(from.fd, from.name, (source) => {
    atName(to.fd, to.name, (target) => renameSync(source, target));
  });
}

/** Makes a change of names outlive a power cut, where the file system can promise that. */
function syncDirectory(directoryFd: number): void {
  try {
    fsyncSync(directoryFd);
  } catch {
    // The change is made and visible; some file systems sync no directory.
  }
}
