import { type GatedPorts, wasiLimits } from '../gate-ports.ts';
import type { WasiIo } from '../io/create-io.ts';
import {
  bytesOf,
  defineResource,
  lengthOf,
  type ResourceCount,
  type ResourceKind,
  WasiFailure,
} from '../resource.ts';
import type { GuestStreams } from '../three/guest-streams.ts';
import { createNewerDescriptors } from '../three/newer-descriptors.ts';
import { createDirectoryAt, removeDirectoryAt, renameAt, unlinkFileAt } from './change-at.ts';
import {
  createFileLooks,
  type DirectoryEntry,
  type FileLooks,
  identifyBy,
  listDirectory,
  metadataHash,
  statOf,
  statOfPending,
} from './describe-file.ts';
import { type FilesystemCode, failWith, guarded, type Refusals } from './error-code.ts';
import { createFileJournal } from './file-journal.ts';
import {
  createFileIdentities,
  type DefineDescriptor,
  type FileIdentities,
  type FilesystemContext,
  type Run,
} from './filesystem-context.ts';
import { lookOrMissing, openAt } from './open-at.ts';
import {
  createFileStreams,
  createOpenFiles,
  directoryOf,
  type FileStreams,
  type Handle,
  readableOf,
  readFrom,
  writableOf,
} from './open-files.ts';
import { createPendingFiles, type PendingFiles } from './pending-files.ts';
import { createPlaceReach, resolveAt } from './reach-place.ts';

/**
 * The methods of `descriptor` that fail with an error code of the file system and speak of no other
 * resource: WASI 0.2 and 0.3 have the same.
 */
function createDescriptorMethods(
  context: FilesystemContext,
  parts: {
    looks: FileLooks;
    streams: FileStreams;
    identities: FileIdentities;
  },
): Record<string, Run> {
  const { ports, journal, reach } = context;
  const { lookInto, lookAtPath } = parts.looks;
  const { writeTo, changed, sync } = parts.streams;
  const describe = { stats: statOf, file: statOfPending };
  const identify = identifyBy(parts.identities);
  const unsupported = (): never => {
    throw failWith('unsupported');
  };
  const refused = (): never => {
    throw failWith('not-permitted');
  };

  return {
    advise: () => undefined,
    syncData: sync,
    sync,
    getFlags: (handle) =>
      handle.kind === 'file'
        ? { read: handle.canRead, write: handle.canWrite, ...handle.syncFlags }
        : { read: true, mutateDirectory: ports.allows('fs-write', 'fs-write.write-bytes') },
    getType: (handle) => (handle.kind === 'file' ? 'regular-file' : 'directory'),
    setSize: (handle, size) => {
      // In the system's words for a file that is open for reading.
      if (handle.kind === 'file' && !handle.canWrite) throw failWith('invalid');
      const file = writableOf(handle);
      file.bytes.setSize(lengthOf(size, Number.MAX_SAFE_INTEGER));
      changed(handle, file);
    },
    setTimes: unsupported,
    setTimesAt: unsupported,
    linkAt: refused,
    symlinkAt: refused,
    read: (handle, length, offset) => {
      const wanted = lengthOf(length, wasiLimits.readBytes);
      const at = lengthOf(offset, Number.MAX_SAFE_INTEGER);
      const bytes = readFrom(readableOf(handle), at, wanted);
      return [bytes, bytes.length === 0 && wanted > 0];
    },
    write: (handle, bytes, offset) => {
      const given = bytesOf(bytes);
      writeTo(handle, lengthOf(offset, Number.MAX_SAFE_INTEGER), given);
      return BigInt(given.length);
    },
    createDirectoryAt: (handle, path) => createDirectoryAt(context, handle, path),
    unlinkFileAt: (handle, path) => unlinkFileAt(context, handle, path),
    stat: (handle) => lookInto(handle, describe),
    statAt: (handle, flags, path) => lookAtPath(handle, flags, path, describe),
    metadataHash: (handle) => metadataHash(lookInto(handle, identify)),
    metadataHashAt: (handle, flags, path) =>
      metadataHash(lookAtPath(handle, flags, path, identify)),
    readlinkAt: (handle, path) => {
      const place = resolveAt(directoryOf(handle), path);
      journal.noteLookup(place);
      return reach.readLink(place);
    },
  };
}

export type WasiFilesystem = {
  imports: Record<string, object>;
  /** @param keep false forgets what is not written; @returns why anything was lost */
  end: PendingFiles['end'];
};

/** What makes the resource `descriptor` of each version. */
function createDescriptorKinds(
  context: FilesystemContext,
  parts: {
    count: ResourceCount;
    refusals: Refusals;
    methods: Readonly<Record<string, Run>>;
    isSameObject(one: Handle, other: Handle): boolean;
  },
): DefineDescriptor {
  const { count, refusals, methods, isSameObject } = parts;
  return (of, errorOf) => {
    const run = <T>(work: () => T, conflict?: FilesystemCode): T => {
      try {
        return guarded(work, conflict === undefined ? refusals : { ...refusals, conflict });
      } catch (thrown) {
        throw thrown instanceof WasiFailure ? new WasiFailure(errorOf(thrown.payload)) : thrown;
      }
    };
    const kind: ResourceKind<Handle> = defineResource<Handle>({
      name: 'descriptor',
      count,
      methods: {
        ...Object.fromEntries(
          Object.entries({ ...methods, ...of(methods) }).map(([name, method]): [string, Run] => [
            name,
            (handle, ...args) => run(() => method(handle, ...args)),
          ]),
        ),
        openAt: (handle, pathFlags, path, openFlags, flags) =>
          run(() => kind.make(openAt(context, handle, pathFlags, path, openFlags, flags))),
        renameAt: (handle, oldPath, to, newPath) =>
          run(() => renameAt(context, handle, oldPath, kind.stateOf(to), newPath)),
        removeDirectoryAt: (handle, path) =>
          run(() => removeDirectoryAt(context, handle, path), 'not-empty'),
        isSameObject: (handle, other) => isSameObject(handle, kind.stateOf(other)),
      },
      dropped: (handle) => {
        if (handle.kind === 'directory') return;
        handle.open?.release();
        if (handle.pending !== undefined) context.pending.release(handle.pending);
      },
    });
    return kind;
  };
}

/** Root whose directory programs start in; without its grant they start in one that is shut. */
const startRoot = 'work';

type EntryStream = { entries: DirectoryEntry[]; next: number };

/**
 * `wasi:filesystem` below the granted roots, of 0.2 and of 0.3. The root `work` is the preopen `/`,
 * which is where relative and absolute paths of programs lead; each granted root is also `NAME:`, so
 * that `docs:/a.txt` names it and no folder of the workspace is hidden behind a root.
 */
export function createFilesystem(options: {
  ports: GatedPorts;
  count: ResourceCount;
  io: WasiIo;
  streams: GuestStreams;
}): WasiFilesystem {
  const { ports, count, io } = options;
  const identities = createFileIdentities();
  const reach = createPlaceReach(ports.roots, ports.isProtected);
  const pending = createPendingFiles({
    askKernel: ports.askKernel,
    replaced: ({ place, identity }) => {
      const stats = lookOrMissing(() => reach.look(place, false).stats);
      if (stats !== undefined) identities.follow(identity, stats);
    },
  });
  /** roots that the kernel let this call write */
  const writable = new Set<string>();
  const context: FilesystemContext = {
    ports,
    pending,
    reach,
    identities,
    journal: createFileJournal(ports),
    files: createOpenFiles(),
    requireWritable: ({ root }) => {
      if (writable.has(root)) return;
      ports.askKernel('fs-write.may-write', [`${root}:`]);
      writable.add(root);
    },
  };
  const { journal, files } = context;
  const refusals: Refusals = { onDenied: journal.noteDenied, onLimit: ports.rememberLimit };
  const looks = createFileLooks(context);
  const streams = createFileStreams(pending, refusals);
  const methods = createDescriptorMethods(context, { looks, streams, identities });
  const identify = identifyBy(identities);

  function isSameObject(one: Handle, other: Handle): boolean {
    const seen = [one, other].map((handle) => {
      try {
        return looks.lookInto(handle, identify);
      } catch {
        // This function has no error: an unreadable file counts as missing.
        return {};
      }
    });
    return seen[0] === seen[1];
  }

  const defineDescriptor = createDescriptorKinds(context, {
    count,
    refusals,
    methods,
    isSameObject,
  });
  const entryStreams = defineResource<EntryStream>({
    name: 'directory-entry-stream',
    count,
    methods: {
      readDirectoryEntry: (stream) => {
        const entry = stream.entries[stream.next++];
        if (entry?.name.isWellFormed() === false) throw failWith('illegal-byte-sequence');
        return entry;
      },
    },
  });
  const descriptors = defineDescriptor(
    () => ({
      readViaStream: (handle, offset) => io.input(streams.readVia(handle, offset)),
      writeViaStream: (handle, offset) =>
        io.output(streams.writeVia(handle, lengthOf(offset, Number.MAX_SAFE_INTEGER))),
      appendViaStream: (handle) => io.output(streams.writeVia(handle, undefined)),
      readDirectory: (handle) =>
        entryStreams.make({ entries: listDirectory(context, handle), next: 0 }),
    }),
    (code) => code,
  );

  const directoriesOf = (kind: ResourceKind<Handle>) => (): [object, string][] => {
    const preopen = (root: string): object =>
      kind.make({ kind: 'directory', place: { root, segments: [] } });
    const named = [...ports.roots.keys()].map((root): [object, string] => [
      preopen(root),
      `${root}:`,
    ]);
    return [[preopen(startRoot), '/'], ...named];
  };
  const newer = createNewerDescriptors({
    define: defineDescriptor,
    streams: options.streams,
    files: streams,
    list: (handle) => guarded(() => listDirectory(context, handle), refusals),
  });

  return {
    imports: {
      'wasi:filesystem/preopens': { getDirectories: directoriesOf(descriptors) },
      'wasi:filesystem/types': {
        Descriptor: descriptors.face,
        DirectoryEntryStream: entryStreams.face,
        filesystemErrorCode: (error: unknown) => io.causeOf(error).filesystem,
      },
      'wasi3:filesystem/preopens': { getDirectories: directoriesOf(newer) },
      'wasi3:filesystem/types': { Descriptor: newer.face },
    },
    end: (keep) => {
      const lost = pending.end(keep);
      files.closeAll();
      writable.clear();
      identities.reset();
      journal.reset();
      return lost;
    },
  };
}
