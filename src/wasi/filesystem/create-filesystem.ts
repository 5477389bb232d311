import type { WasiIo } from '../io/create-io.ts';
import { defineResource, type ResourceCount } from '../resource.ts';
import type { GatedPorts } from '../wasi-ports.ts';
import { removeDirectoryAt } from './change-at.ts';
import { createDescriptorMethods, type Run } from './descriptor-methods.ts';
import { failWith, guarded, type Refusals } from './error-code.ts';
import { createFileIdentities } from './file-identities.ts';
import { createFileJournal } from './file-journal.ts';
import { createFileStreams } from './file-streams.ts';
import type { FilesystemContext } from './filesystem-context.ts';
import type { Handle } from './handle.ts';
import type { DirectoryEntry } from './list-directory.ts';
import { createFileLooks, identifyBy } from './look-at-files.ts';
import { lookOrMissing } from './open-at.ts';
import { createOpenFiles } from './open-files.ts';
import { createPendingFiles, type PendingFiles } from './pending-files.ts';
import { createPlaceReach } from './reach-place.ts';

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
