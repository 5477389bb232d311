import { closeSync, mkdirSync, openSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import type { ChangeKeeper, FileChange } from '../../contracts/file-changes.ts';
import { type HostCaller, type HostService, ServiceError } from '../../contracts/host-service.ts';
import { isUnwritablePath } from '../../contracts/protected-names.ts';
import { sha256 } from '../../lib/sha256.ts';
import { HostFailure } from '../below/host-failure.ts';
import { below, directoryFlags } from '../below/open-below.ts';
import { openDirectory } from '../below/open-directory.ts';
import { type GuestPath, parsePath } from '../below/parse-path.ts';
import { expectSame, lookAtName, readPresent } from '../below/present-file.ts';
import { isWithheld, protectAlso } from '../below/protected-check.ts';
import { syncDirectory, writeWhole } from '../below/write-whole.ts';
import { argument, parseArguments } from './parse-arguments.ts';
import { writeFailure } from './write-failure.ts';

/** Of one file; a frame holds it as base64. */
const maxFileBytes = 4 * 1024 * 1024;
/** Of all files that one tool call writes. */
const maxCallBytes = 50 * 1024 * 1024;
/** Above it `parsePath` has refused already; in characters. */
const maxPathLength = 16 * 1024;
/** Texts are measured in bytes, as a `limit`. */
const anyLength = Number.MAX_SAFE_INTEGER;

export type FsWritePorts = {
  /** roots that the caller may write now: name -> absolute directory */
  writeRoots(caller: HostCaller): Readonly<Record<string, string>>;
  /** root name -> paths below it that are withheld beside the default list */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  keeper(): Promise<ChangeKeeper>;
};

/** One call: where it may write, and who keeps what was there. */
type Scope = {
  parse(path: string): GuestPath;
  keeper: ChangeKeeper;
  caller: HostCaller;
};

/**
 * Writing below the granted roots. Between looking and writing no other call of a guest runs;
 * what another program does meanwhile is a `conflict` where it can be seen.
 */
export function createFsWriteServices(ports: FsWritePorts): [string, HostService][] {
  const also = protectAlso(ports.protectedPaths);
  const isUnwritable = (relative: string, root: string): boolean =>
    isUnwritablePath(relative) || also(relative, root);
  const written = new WeakMap<HostCaller, number>();
  const path = argument.text(maxPathLength);
  const onePath = argument.list([path]);
  const twoPaths = argument.list([path, path]);
  const textFile = argument.list([path, argument.text(anyLength), argument.optionalHash()]);
  const byteFile = argument.list([path, argument.bytes(anyLength), argument.optionalHash()]);

  /** Opens the roots for one call; what it throws becomes what the guest is told. */
  async function within(caller: HostCaller, shown: string, work: (scope: Scope) => void) {
    const folders = ports.writeRoots(caller);
    const keeper = await ports.keeper();
    const roots = new Map<string, number>();
    try {
      for (const [root, folder] of Object.entries(folders)) {
        roots.set(root, openSync(folder, directoryFlags));
      }
      work({ parse: (text) => parseWritable(text, roots, isUnwritable), keeper, caller });
    } catch (thrown) {
      throw writeFailure(thrown, shown);
    } finally {
      for (const fd of roots.values()) closeSync(fd);
    }
    return { value: undefined, target: shown.toWellFormed() };
  }

  function takeBytes(caller: HostCaller, bytes: Uint8Array, shown: string): void {
    if (bytes.byteLength > maxFileBytes) {
      const text = `a file of ${bytes.byteLength} bytes, limit ${maxFileBytes}`;
      throw new ServiceError('limit', text, shown);
    }
    const total = (written.get(caller) ?? 0) + bytes.byteLength;
    if (total > maxCallBytes) {
      const text = `${total} bytes written in one tool call, limit ${maxCallBytes}`;
      throw new ServiceError('limit', text, shown);
    }
    written.set(caller, total);
  }

  const write = (caller: HostCaller, to: string, bytes: Uint8Array, hash: string | undefined) =>
    within(caller, to, (scope) => {
      const guestPath = scope.parse(to);
      takeBytes(caller, bytes, to);
      writeFile(scope, guestPath, bytes, hash);
    });

  return [
    [
      'fs-write.write-text',
      async (args, caller) => {
        const [to, text, hash] = parseArguments('fs-write.write-text', textFile, args);
        if (!text.isWellFormed()) {
          throw new ServiceError('invalid', 'the text holds half of a surrogate pair', to);
        }
        return await write(caller, to, Buffer.from(text), hash ?? undefined);
      },
    ],
    [
      'fs-write.write-bytes',
      async (args, caller) => {
        const [to, bytes, hash] = parseArguments('fs-write.write-bytes', byteFile, args);
        return await write(caller, to, bytes, hash ?? undefined);
      },
    ],
    [
      'fs-write.create-dir',
      async (args, caller) => {
        const [to] = parseArguments('fs-write.create-dir', onePath, args);
        return await within(caller, to, (scope) => createDirectory(scope, scope.parse(to)));
      },
    ],
    [
      'fs-write.rename',
      async (args, caller) => {
        const [from, to] = parseArguments('fs-write.rename', twoPaths, args);
        return await within(caller, from, (scope) =>
          renameFile(scope, scope.parse(from), scope.parse(to)),
        );
      },
    ],
    [
      'fs-write.remove',
      async (args, caller) => {
        const [from] = parseArguments('fs-write.remove', onePath, args);
        return await within(caller, from, (scope) => removePath(scope, scope.parse(from)));
      },
    ],
  ];
}

/** @throws {HostFailure} for what is malformed, not granted, protected, or a root itself */
function parseWritable(
  text: string,
  roots: ReadonlyMap<string, number>,
  isUnwritable: (relative: string, root: string) => boolean,
): GuestPath {
  const path = parsePath(text, roots, 'fs-write');
  if (path.segments.length === 0) {
    throw new HostFailure('invalid', `path ${path.shown} is the root itself`);
  }
  if (!isWithheld(isUnwritable, path.segments.join('/'), path.root)) return path;
  throw new HostFailure('denied', `path ${path.shown} is a protected file`);
}

/** The directory of what a path names, and its name there. The caller disposes it. */
function openParent(path: GuestPath): Disposable & { fd: number; name: string } {
  const directory = openDirectory(path, path.segments.slice(0, -1));
  return { ...directory, name: path.segments.at(-1) ?? '' };
}

function changeOf(
  { caller: { run, step } }: Scope,
  path: GuestPath,
): Pick<FileChange, 'run' | 'step' | 'root' | 'path'> {
  return {
    ...(run === undefined ? {} : { run }),
    ...(step === undefined ? {} : { step }),
    root: path.root,
    path: path.segments.join('/'),
  };
}

function writeFile(
  scope: Scope,
  path: GuestPath,
  bytes: Uint8Array,
  expectHash: string | undefined,
): void {
  using parent = openParent(path);
  const before = readPresent(path, parent.fd, parent.name);
  if (expectHash !== undefined && before?.hash !== expectHash) {
    const text = before === undefined ? 'does not exist any more' : 'is not what was read';
    throw new HostFailure('conflict', `path ${path.shown} ${text}`);
  }
  // Bits that lend the rights of an owner are not handed on to a guest's bytes.
  const mode = before === undefined ? 0o644 : before.stats.mode & 0o777;
  const change = { ...changeOf(scope, path), afterHash: sha256(bytes), mode };
  const beforeHash = before && scope.keeper.keep(before.bytes);
  writeWhole(parent.fd, parent.name, { bytes, mode }, (make) => {
    const place = (): void => {
      expectSame(path, parent.fd, parent.name, before);
      make();
    };
    if (beforeHash === undefined) scope.keeper.record({ ...change, kind: 'create' }, place);
    else scope.keeper.record({ ...change, kind: 'write', beforeHash }, place);
  });
}

function createDirectory(scope: Scope, path: GuestPath): void {
  const mode = 0o755;
  using _made = openDirectory(path, path.segments, (directoryFd, segments) => {
    const change = { ...changeOf(scope, { ...path, segments }), kind: 'create' as const, mode };
    scope.keeper.record(change, () => mkdirSync(below(directoryFd) + segments.at(-1), { mode }));
    syncDirectory(directoryFd);
  });
}

function renameFile(scope: Scope, from: GuestPath, to: GuestPath): void {
  if (from.root !== to.root) {
    const text = `path ${from.shown} is of root ${from.root} and ${to.shown} of ${to.root}; a file is renamed within one root`;
    throw new HostFailure('denied', text);
  }
  using source = openParent(from);
  using directory = openParent(to);
  const before = readPresent(from, source.fd, source.name);
  if (before === undefined) throw new HostFailure('not-found', `path ${from.shown} does not exist`);
  if (lookAtName(to, directory.fd, directory.name) !== undefined) {
    throw new HostFailure('conflict', `path ${to.shown} exists already`);
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
    renameSync(below(source.fd) + source.name, below(directory.fd) + directory.name);
  });
  syncDirectory(source.fd);
  syncDirectory(directory.fd);
}

function removePath(scope: Scope, path: GuestPath): void {
  using parent = openParent(path);
  const location = below(parent.fd) + parent.name;
  const stats = lookAtName(path, parent.fd, parent.name);
  if (stats === undefined) throw new HostFailure('not-found', `path ${path.shown} does not exist`);
  const change = { ...changeOf(scope, path), kind: 'remove' as const, mode: stats.mode & 0o777 };
  if (stats.isDirectory()) scope.keeper.record(change, () => rmdirSync(location));
  else {
    const before = readPresent(path, parent.fd, parent.name);
    if (before === undefined)
      throw new HostFailure('not-found', `path ${path.shown} does not exist`);
    const beforeHash = scope.keeper.keep(before.bytes);
    scope.keeper.record({ ...change, beforeHash }, () => {
      expectSame(path, parent.fd, parent.name, before);
      unlinkSync(location);
    });
  }
  syncDirectory(parent.fd);
}
