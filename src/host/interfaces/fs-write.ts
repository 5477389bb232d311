import { lstatSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { ProposedChange } from '../../contracts/consent.ts';
import { createContentGate, type RunnerCheck } from '../../contracts/content-gate.ts';
import { KernelError } from '../../contracts/error.ts';
import type { ChangeKeeper } from '../../contracts/file-changes.ts';
import { type HostCaller, type HostServices, ServiceError } from '../../contracts/host-service.ts';
import { foldPath, isFixedPath, isProjectFile } from '../../contracts/protected-names.ts';
import {
  type ChangeScope,
  changeFailure,
  createDirectory,
  openParent,
  readOnlyText,
  removePath,
  renameFile,
  writeFile,
} from '../../paths/change-file.ts';
import { isGitDirectory } from '../../paths/ignore-rules.ts';
import { atName, closeName, directoryFlags, openName, openRoot } from '../../paths/open-name.ts';
import { type GuestPath, parsePath, showPath, splitRoot } from '../../paths/parse-path.ts';
import { lookAtName, readOnlyMode, readPresent } from '../../paths/present-file.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { argument, parseArguments } from './parse-arguments.ts';

/** An error of a write, for the guest; errors of the kernel pass unchanged. */
function writeFailure(thrown: unknown, path: string): unknown {
  if (thrown instanceof KernelError || thrown instanceof ServiceError) return thrown;
  const { payload } = changeFailure(thrown, showPath(path));
  return new ServiceError(payload.tag, payload.val, path.toWellFormed());
}

/** The whole path, with its root. */
function nameOf({ root, segments }: GuestPath): string {
  return `${root}:${segments.join('/')}`;
}

/** @throws {HostFailure} where it cannot be written, and errors of the system */
function proposeWrite(path: GuestPath, after: Uint8Array): ProposedChange {
  using parent = openParent(path);
  const before = readPresent(path, parent.fd, parent.name);
  if (before === undefined) return { kind: 'create', path: nameOf(path), after };
  const { bytes, stats } = before;
  const mode = readOnlyPart(readOnlyMode(parent.fd, parent.name, stats));
  return { kind: 'write', path: nameOf(path), before: bytes, after, ...mode };
}

const readOnlyPart = (readOnly: string | undefined): { readOnly?: string } =>
  readOnly === undefined ? {} : { readOnly };

/**
 * A text that names the path and its mode if the file there is read-only. Errors are left to the
 * change itself.
 */
function readOnlyAt(path: GuestPath): string | undefined {
  try {
    using parent = openParent(path);
    const stats = lookAtName(path, parent.fd, parent.name);
    const mode = stats?.isFile() ? readOnlyMode(parent.fd, parent.name, stats) : undefined;
    return mode === undefined ? undefined : readOnlyText(path, mode);
  } catch {
    return undefined;
  }
}

/** @throws {HostFailure} where it cannot be removed, and errors of the system */
function proposeRemoval(path: GuestPath): ProposedChange {
  using parent = openParent(path);
  const stats = lookAtName(path, parent.fd, parent.name);
  if (stats?.isDirectory()) return { kind: 'remove', path: nameOf(path) };
  const found = readPresent(path, parent.fd, parent.name);
  if (found === undefined) return { kind: 'remove', path: nameOf(path) };
  const mode = readOnlyPart(readOnlyMode(parent.fd, parent.name, found.stats));
  return { kind: 'remove', path: nameOf(path), before: found.bytes, ...mode };
}

/**
 * A person agreed to one change: if the change would differ now, the agreement is void.
 *
 * @throws {HostFailure} `conflict`
 */
function expectAgreed(agreed: ProposedChange, now: ProposedChange): void {
  if (isDeepStrictEqual(agreed, now)) return;
  const text = `path ${showPath(now.path)} was changed while the user was asked`;
  throw new HostFailure('conflict', text);
}

/** Bytes of one file; a frame holds it as base64. */
const maxFileBytes = 4 * 1024 * 1024;
/** Bytes of all files that one tool call writes. */
const maxCallBytes = 50 * 1024 * 1024;
/** Characters; `parsePath` refuses longer paths before. */
const maxPathLength = 16 * 1024;
/** Texts are measured in bytes, as a `limit`. */
const anyLength = Number.MAX_SAFE_INTEGER;

export type FsWritePorts = {
  authorize: AuthorizeWrite;
  requireWritable: RequireWritable;
  /** root name -> paths below it that are withheld beside the default list */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  runnerOf: RunnerCheck;
  keeper(): Promise<ChangeKeeper>;
};

/** Roots by name, each an absolute directory. */
export type WriteRoots = Readonly<Record<string, string>>;

/**
 * Decides one change of files.
 *
 * @param about.root name of the root that it is about
 * @param about.runBy a program that runs a changed file by itself, as git runs hooks: no grant
 *   covers that
 * @param about.readOnlyIn a text if the replaced or removed file is read-only: no grant covers that
 *   either
 * @param propose what would be changed, seen from these roots, with this text in the place of the
 *   guest's where a person changed it; throws where nothing can be
 * @returns the roots that the call may write, and what a person agreed to, where one was asked
 * @throws {ServiceError} `denied`
 */
export type AuthorizeWrite = (
  caller: HostCaller,
  about: {
    root: string;
    runBy?: string | undefined;
    readOnlyIn(roots: WriteRoots): string | undefined;
  },
  propose: (roots: WriteRoots, after?: Uint8Array) => ProposedChange,
) => Promise<{ roots: WriteRoots; agreed?: ProposedChange }>;

/**
 * Whether a write below a root could be allowed: it was granted, or a person would be asked.
 *
 * @throws {ServiceError} `denied`
 */
export type RequireWritable = (caller: HostCaller, root: string) => Promise<void>;

/** One call: its writable places, and the keeper of earlier content. */
type Scope = ChangeScope & { parse(path: string): GuestPath };

/**
 * Writing below the granted roots. Between looking and writing no other call of a guest runs;
 * what another program does meanwhile is a `conflict` where it can be seen.
 */
export function createFsWriteServices(ports: FsWritePorts): HostServices<'fs-write'> {
  const { isProtected: also } = createContentGate(ports.protectedPaths);
  const isUnwritable = (relative: string, root: string): boolean =>
    isFixedPath(relative) || also(relative, root);
  const takeBytes = createByteCount();
  const path = argument.text(maxPathLength);
  const onePath = argument.list([path]);
  const twoPaths = argument.list([path, path]);
  const textFile = argument.list([path, argument.text(anyLength), argument.optionalHash()]);
  const byteFile = argument.list([path, argument.bytes(anyLength), argument.optionalHash()]);

  type Parse = Scope['parse'];

  function withRoots<Value>(folders: WriteRoots, use: (parse: Parse) => Value): Value {
    const roots = new Map<string, number>();
    try {
      for (const [root, folder] of Object.entries(folders)) {
        roots.set(root, openRoot(folder));
      }
      return use((text) => parseWritable(text, roots, isUnwritable));
    } finally {
      for (const fd of roots.values()) closeName(fd);
    }
  }

  /** The runner of a path that is not checked yet; a malformed path is refused later. */
  function runnerAt(text: string): string | undefined {
    const { root, relative } = splitRoot(text);
    return ports.runnerOf(relative, root);
  }

  /** Opens the roots for one call; its errors become the guest's errors. */
  async function within(
    caller: HostCaller,
    shown: string,
    call: {
      /** where a file comes to lie beside `shown` */
      target?: string;
      /** the content of `shown` goes, if there is one */
      replaces?: true;
      propose(parse: Parse, after?: Uint8Array): ProposedChange;
      work(scope: Scope, after?: Uint8Array): void;
    },
  ) {
    const { root } = splitRoot(shown);
    const runBy = [shown, call.target ?? shown].map(runnerAt).find(Boolean);
    try {
      const readOnlyIn = (folders: WriteRoots) =>
        withRoots(folders, (parse) => (call.replaces ? readOnlyAt(parse(shown)) : undefined));
      const about = { root, runBy, readOnlyIn };
      const { roots, agreed } = await ports.authorize(caller, about, (folders, after) =>
        withRoots(folders, (parse) => call.propose(parse, after)),
      );
      const after = agreed !== undefined && 'after' in agreed ? agreed.after : undefined;
      const keeper = await ports.keeper();
      withRoots(roots, (parse) => {
        if (agreed !== undefined) expectAgreed(agreed, call.propose(parse, after));
        const { run, step, remark } = caller;
        const remarks = remark === undefined ? {} : { remark };
        call.work({ parse, keeper, run, step, isAgreed: agreed !== undefined, ...remarks }, after);
      });
    } catch (thrown) {
      throw writeFailure(thrown, shown);
    }
    return { value: undefined, target: shown.toWellFormed() };
  }

  const write = (caller: HostCaller, to: string, bytes: Uint8Array, hash: string | undefined) =>
    within(caller, to, {
      replaces: true,
      propose: (parse, after) => proposeWrite(parse(to), after ?? bytes),
      work: (scope, after = bytes) => {
        const guestPath = scope.parse(to);
        takeBytes(caller, after, to);
        writeFile(scope, guestPath, after, hash);
        if (Buffer.compare(after, bytes) === 0) return;
        // The file holds the person's text; the writer must not believe that its own text is there.
        const text = `path ${guestPath.shown} now holds a text that the user edited; read it again`;
        throw new HostFailure('conflict', text);
      },
    });

  return {
    'fs-write.may-write': async (args, caller) => {
      const [to] = parseArguments('fs-write.may-write', onePath, args);
      const { root } = splitRoot(to);
      await ports.requireWritable(caller, root);
      return { value: undefined, target: root.toWellFormed() };
    },
    'fs-write.write-text': async (args, caller) => {
      const [to, text, hash] = parseArguments('fs-write.write-text', textFile, args);
      if (!text.isWellFormed()) {
        throw new ServiceError('invalid', 'the text holds half of a surrogate pair', to);
      }
      return await write(caller, to, Buffer.from(text), hash ?? undefined);
    },
    'fs-write.write-bytes': async (args, caller) => {
      const [to, bytes, hash] = parseArguments('fs-write.write-bytes', byteFile, args);
      return await write(caller, to, bytes, hash ?? undefined);
    },
    'fs-write.create-dir': async (args, caller) => {
      const [to] = parseArguments('fs-write.create-dir', onePath, args);
      return await within(caller, to, {
        propose: (parse) => ({ kind: 'create-dir', path: nameOf(parse(to)) }),
        work: (scope) => createDirectory(scope, scope.parse(to)),
      });
    },
    'fs-write.rename': async (args, caller) => {
      const [from, to] = parseArguments('fs-write.rename', twoPaths, args);
      return await within(caller, from, {
        target: to,
        propose: (parse) => ({
          kind: 'rename',
          path: nameOf(parse(from)),
          target: nameOf(parse(to)),
        }),
        work: (scope) => renameFile(scope, scope.parse(from), scope.parse(to)),
      });
    },
    'fs-write.remove': async (args, caller) => {
      const [from] = parseArguments('fs-write.remove', onePath, args);
      return await within(caller, from, {
        replaces: true,
        propose: (parse) => proposeRemoval(parse(from)),
        work: (scope) => removePath(scope, scope.parse(from)),
      });
    },
  };
}

/** Counts what each tool call writes. */
function createByteCount(): (caller: HostCaller, bytes: Uint8Array, shown: string) => void {
  const written = new WeakMap<HostCaller, number>();
  return (caller, bytes, shown) => {
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
  };
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
  if (path.segments.some(isProjectFile)) {
    const text = `path ${path.shown} decides which files are withheld, so only a person may change it`;
    throw new HostFailure('denied', text);
  }
  if (isUnwritable(path.segments.join('/'), path.root)) {
    throw new HostFailure('denied', `path ${path.shown} is a protected file`);
  }
  if (leadsIntoGit(path)) {
    const text = `path ${path.shown} is in a repository of git, or would make its folder one`;
    throw new HostFailure('denied', text);
  }
  return path;
}

/** Whether a folder on the way is a git folder, or becomes one with the folders made on the way. */
function leadsIntoGit({ rootFd, segments }: GuestPath): boolean {
  const look = (location: string | Buffer) => lstatSync(location, { throwIfNoEntry: false });
  const opened: number[] = [];
  try {
    for (const made of segments) {
      const fd = opened.at(-1) ?? rootFd;
      const isThere = (name: string): boolean =>
        foldPath(made) === name.toLowerCase() || atName(fd, name, look) !== undefined;
      if (isGitDirectory(isThere)) return true;
      if (opened.length + 1 < segments.length) opened.push(openName(fd, made, directoryFlags));
    }
  } catch {
    // It is missing or a link; the write itself reports that.
  } finally {
    for (const fd of opened) closeName(fd);
  }
  return false;
}
