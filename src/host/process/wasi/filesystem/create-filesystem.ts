import { fstatSync, type Stats } from 'node:fs';
import { readDirectory } from '../../fs/read-directory.ts';
import { bytesOf, flagOf, lengthOf } from '../guest-argument.ts';
import type { WasiIo } from '../io/create-io.ts';
import { defineResource, type ResourceCount } from '../resource.ts';
import { wasiLimits } from '../wasi-limits.ts';
import type { GatedPorts } from '../wasi-ports.ts';
import { createDirectoryAt, removeDirectoryAt, renameAt, unlinkFileAt } from './change-at.ts';
import { metadataHash, statOf, statOfPending, typeOf } from './describe-file.ts';
import { failWith, guarded, guardedStream, LimitReached, type Refusals } from './error-code.ts';
import { createFileIdentities } from './file-identities.ts';
import { createFileJournal } from './file-journal.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import { directoryOf, type Handle, readableOf, readFrom, writableOf } from './handle.ts';
import { lookOrMissing, openAt } from './open-at.ts';
import { createOpenFiles } from './open-files.ts';
import { createPendingFiles, type PendingFile, type PendingFiles } from './pending-files.ts';
import { createPlaceReach } from './reach-place.ts';
import { type Place, resolveAt } from './resolve-at.ts';

export type WasiFilesystem = {
  imports: Record<string, object>;
  /** @param keep false forgets what is not written; @returns why anything was lost */
  end: PendingFiles['end'];
};

/** Root whose directory programs start in; without its grant they start in one that is shut. */
const startRoot = 'work';

type EntryStream = { entries: { type: string; name: string }[]; next: number };

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
  /** roots of which the kernel said in this call that they may be written */
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
    methods: { readDirectoryEntry: (stream) => stream.entries[stream.next++] },
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

  function readVia(handle: Handle, offset: unknown): object {
    const file = readableOf(handle);
    let at = lengthOf(offset, Number.MAX_SAFE_INTEGER);
    file.open?.retain();
    if (file.pending !== undefined) file.pending.users += 1;
    return io.input({
      read: (maxBytes) => {
        const bytes = guardedStream(() => readFrom(file, at, maxBytes), refusals);
        at += bytes.length;
        return bytes.length === 0 ? undefined : bytes;
      },
      close: () => {
        file.open?.release();
        if (file.pending !== undefined) pending.release(file.pending);
      },
    });
  }

  function writeTo(handle: Handle, offset: number | undefined, bytes: Uint8Array): void {
    const file = writableOf(handle);
    file.bytes.write(offset ?? file.bytes.size(), bytes);
    changed(handle, file);
  }

  /** Whoever asked for it when opening finds each change on the disk. */
  function changed(handle: Handle, file: PendingFile): void {
    pending.change(file);
    if (handle.kind === 'file' && handle.syncFlags !== undefined) pending.save(file);
  }

  /** @param start undefined appends */
  function writeVia(handle: Handle, start: number | undefined): object {
    const file = writableOf(handle);
    let at = start;
    file.users += 1;
    return io.output({
      write: (bytes) => {
        guardedStream(() => writeTo(handle, at, bytes), refusals);
        if (at !== undefined) at += bytes.length;
      },
      close: () => pending.release(file),
    });
  }

  function sync(handle: Handle): void {
    if (handle.kind === 'directory' || !handle.canWrite || handle.pending === undefined) return;
    pending.save(handle.pending);
  }

  function list(handle: Handle): object {
    const place = directoryOf(handle);
    journal.note('fs.list-dir', place);
    pending.saveAll();
    using directory = reach.open(place);
    if (!directory.stats.isDirectory()) throw failWith('not-directory');
    const listing = readDirectory(directory.fd, wasiLimits.directoryEntries);
    if (listing.truncated) {
      const text = `a directory of more than ${wasiLimits.directoryEntries} entries`;
      throw new LimitReached('quota', text);
    }
    // A program that looks at all it is shown should not stumble over what it may not see.
    const { root } = place;
    const shown = listing.entries.filter(
      ({ name }) => !reach.isWithheld({ root, segments: [...directory.resolved, name] }),
    );
    const entries = shown.map((entry) => ({ type: typeOf(entry), name: entry.name }));
    return entryStreams.make({ entries, next: 0 });
  }

  type Look<T> = {
    stats: (stats: Stats) => T;
    file: (file: PendingFile) => T;
  };

  function lookAt<T>(place: Place, follow: boolean, look: Look<T>): T {
    journal.noteLookup(place);
    const file = pending.find(place);
    return file === undefined ? look.stats(reach.look(place, follow).stats) : look.file(file);
  }

  function lookInto<T>(handle: Handle, look: Look<T>): T {
    if (handle.kind === 'directory') return lookAt(handle.place, true, look);
    if (handle.pending !== undefined) return look.file(handle.pending);
    if (handle.open === undefined) throw failWith('bad-descriptor');
    return look.stats(fstatSync(handle.open.fd()));
  }

  const lookAtPath = <T>(handle: Handle, flags: unknown, path: unknown, look: Look<T>): T => {
    const { mustBeDirectory, ...place } = resolveAt(directoryOf(handle), path);
    const follow = flagOf(flags, 'symlinkFollow');
    if (!mustBeDirectory) return lookAt(place, follow, look);
    const file = (): never => {
      throw failWith('not-directory');
    };
    const stats = (found: Stats): T => (found.isDirectory() ? look.stats(found) : file());
    return lookAt(place, true, { stats, file });
  };
  const describe = { stats: statOf, file: statOfPending };
  const identify: Look<string> = { stats: identities.of, file: ({ identity }) => identity };

  function isSameObject(one: Handle, value: unknown): boolean {
    const other = descriptors.stateOf(value);
    const seen = [one, other].map((handle) => {
      try {
        return lookInto(handle, identify);
      } catch {
        // There is no error in this function: what cannot be seen is like nothing.
        return {};
      }
    });
    return seen[0] === seen[1];
  }

  const unsupported = (): never => {
    throw failWith('unsupported');
  };
  const refused = (): never => {
    throw failWith('not-permitted');
  };

  type Run = (handle: Handle, ...args: unknown[]) => unknown;
  const methods: Record<string, Run> = {
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
      // As systems say it of a file that is open for reading.
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
    readDirectory: list,
    openAt: (handle, pathFlags, path, openFlags, flags) =>
      descriptors.make(openAt(context, handle, pathFlags, path, openFlags, flags)),
    createDirectoryAt: (handle, path) => createDirectoryAt(context, handle, path),
    unlinkFileAt: (handle, path) => unlinkFileAt(context, handle, path),
    renameAt: (handle, oldPath, to, newPath) =>
      renameAt(context, handle, oldPath, descriptors.stateOf(to), newPath),
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
