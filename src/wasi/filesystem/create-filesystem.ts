import { type GatedPorts, wasiLimits } from '../gate-ports.ts';
import type { WasiIo } from '../io/create-io.ts';
import { bytesOf, defineResource, lengthOf, type ResourceCount } from '../resource.ts';
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
import { failWith, guarded, type Refusals } from './error-code.ts';
import { createFileJournal } from './file-journal.ts';
import {
  createFileIdentities,
  type FileIdentities,
  type FilesystemContext,
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

/** A method of `descriptor`, given the state of the descriptor that it is called on. */
export type Run = (handle: Handle, ...args: unknown[]) => unknown;

/** The methods of `descriptor` that fail with an error code of the file system. */
function createDescriptorMethods(
  context: FilesystemContext,
  parts: {
    looks: FileLooks;
    streams: FileStreams;
    identities: FileIdentities;
    makeEntries(entries: DirectoryEntry[]): object;
    makeDescriptor(handle: Handle): object;
    handleOf(value: unknown): Handle;
  },
): Record<string, Run> {
  const { ports, journal, reach } = context;
  const { makeEntries, makeDescriptor, handleOf } = parts;
  const { lookInto, lookAtPath } = parts.looks;
  const { readVia, writeVia, writeTo, changed, sync } = parts.streams;
  const describe = { stats: statOf, file: statOfPending };
  const identify = identifyBy(parts.identities);
  const unsupported = (): never => {
    throw failWith('unsupported');
  };
  const refused = (): never => {
    throw failWith('not-permitted');
  };

  return {
    readViaStream: readVia,
    writeViaStream: (handle, offset) => writeVia(handle, lengthOf(offset, Number.MAX_SAFE_INTEGER)),
    appendViaStream: (handle) => writeVia(handle, undefined),
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
    readDirectory: (handle) => makeEntries(listDirectory(context, handle)),
    openAt: (handle, pathFlags, path, openFlags, flags) =>
      makeDescriptor(openAt(context, handle, pathFlags, path, openFlags, flags)),
    createDirectoryAt: (handle, path) => createDirectoryAt(context, handle, path),
    unlinkFileAt: (handle, path) => unlinkFileAt(context, handle, path),
    renameAt: (handle, oldPath, to, newPath) =>
      renameAt(context, handle, oldPath, handleOf(to), newPath),
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

/** Root whose directory programs start in; without its grant they start in one that is shut. */
const startRoot = 'work';

type EntryStream = { entries: DirectoryEntry[]; next: number };

/**
 * `wasi:filesystem` below the granted roots. The root `work` is the preopen `/`, which is
 * where relative and absolute paths of programs lead; each granted root is also `NAME:`, so
 * that `docs:/a.txt` names it and no folder of the workspace is hidden behind a root.
 */
export function createFilesystem(options: {
  ports: GatedPorts;
  count: ResourceCount;
  io: WasiIo;
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

  function getDirectories(): [object, string][] {
    const preopen = (root: string): object =>
      descriptors.make({ kind: 'directory', place: { root, segments: [] } });
    const named = [...ports.roots.keys()].map((root): [object, string] => [
      preopen(root),
      `${root}:`,
    ]);
    return [[preopen(startRoot), '/'], ...named];
  }

  const looks = createFileLooks(context);
  const identify = identifyBy(identities);

  function isSameObject(one: Handle, value: unknown): boolean {
    const other = descriptors.stateOf(value);
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

  const methods = createDescriptorMethods(context, {
    looks,
    streams: createFileStreams(io, pending, refusals),
    identities,
    makeEntries: (entries) => entryStreams.make({ entries, next: 0 }),
    makeDescriptor: (handle) => descriptors.make(handle),
    handleOf: (value) => descriptors.stateOf(value),
  });

  const descriptors = defineResource<Handle>({
    name: 'descriptor',
    count,
    methods: {
      ...Object.fromEntries(
        Object.entries(methods).map(([name, run]): [string, Run] => [
          name,
          (handle, ...args) => guarded(() => run(handle, ...args), refusals),
        ]),
      ),
      removeDirectoryAt: (handle, path) =>
        guarded(() => removeDirectoryAt(context, handle, path), {
          ...refusals,
          conflict: 'not-empty',
        }),
      isSameObject,
    },
    dropped: (handle) => {
      if (handle.kind === 'directory') return;
      handle.open?.release();
      if (handle.pending !== undefined) pending.release(handle.pending);
    },
  });

  return {
    imports: {
      'wasi:filesystem/preopens': { getDirectories },
      'wasi:filesystem/types': {
        Descriptor: descriptors.face,
        DirectoryEntryStream: entryStreams.face,
        filesystemErrorCode: (error: unknown) => io.causeOf(error).filesystem,
      },
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
