import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import type { FlushableMemory, IndexProgress } from '../../contracts/memory.ts';
import type { MemorySource, MemorySources } from '../../contracts/memory-store.ts';
import type { Indexed, IndexState } from '../../contracts/output/parse-memory.ts';
import { requireAnsweringMounts } from '../../lib/files/answering-mounts.ts';
import { protectedBelow } from '../../lib/files/paths.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import {
  addDocuments,
  type Document,
  lostSources,
  noteUnreadable,
  readLostAgain,
} from '../add-documents.ts';
import { dropSources, fileDocument } from '../file-documents.ts';
import { type WalkedFile, walkFiles } from '../walk-files.ts';

type Options = { signal: AbortSignal };

/** The index of the workspace: its files as pieces in memory, where `ask` finds them. */
export type IndexCommands = {
  /**
   * Brings the index up to date: new and changed files are read, missing ones leave it. A forgotten
   * source stays out. An interrupted update goes on.
   */
  update(options: Options & { onProgress?: (progress: IndexProgress) => void }): Promise<Indexed>;
  /** The first part of `update`, a tenth of its work: the index that searches use to find files. */
  updateFiles(options: Options & { onProgress?: (progress: IndexProgress) => void }): Promise<void>;
  /**
   * Keeps the part of `updateFiles` up with the files until the signal fires.
   *
   * @param options.untilIdle ends it when nobody has searched for half an hour
   * @returns false where another process does this
   */
  watch(options: Options & { untilIdle: boolean; onWatching(): void }): Promise<boolean>;
  /**
   * Whether a watching process would help and none runs: `index` where the workspace has an index,
   * `files` where it has many files.
   */
  wantsWatch(): Promise<'no' | 'index' | 'files'>;
  /** How far the index is behind the files, by their size and time. */
  state(options: Options): Promise<IndexState>;
  /** Takes the index away. @returns pieces that went */
  remove(options: Options): Promise<number>;
  /** Workspaces that have an index. */
  workspaces(): Promise<string[]>;
};

/** A larger file is data, or a program wrote it. */
const maxFileBytes = 1024 * 1024;

export function createIndexCommands(ports: {
  config: Config;
  clock: Clock;
  memory(): Promise<FlushableMemory>;
  sources(): Promise<MemorySources>;
  /** the index that searches use to find files, beside the pieces */
  files: {
    update(
      options: Options & { onProgress?: (done: { files: number; of: number }) => void },
    ): Promise<unknown>;
    remove(): Promise<void>;
    watch: IndexCommands['watch'];
    wantsWatch: IndexCommands['wantsWatch'];
    state(): Promise<IndexState['search']>;
  };
}): IndexCommands {
  const { config, clock } = ports;
  const project = config.workspace;
  const { isProtected } = createContentGate(protectedBelow(config));

  const walk = async (
    { signal }: Options,
    onUnreadable?: (path: string) => void,
  ): Promise<WalkedFile[]> => {
    await requireAnsweringMounts(project);
    const files: WalkedFile[] = [];
    const isWithheld = (path: string): boolean => isProtected(path, 'work');
    const callbacks = onUnreadable === undefined ? {} : { onUnreadable };
    for await (const file of walkFiles(project, '', isWithheld, { signal, ...callbacks })) {
      files.push(file);
    }
    return files;
  };

  const indexed = (sources: MemorySources): MemorySource[] =>
    sources.all(project).filter(({ isIndexed }) => isIndexed === true);

  const updateFiles: IndexCommands['updateFiles'] = async ({ signal, onProgress }) => {
    await requireAnsweringMounts(project);
    const tell = (now: Omit<IndexProgress, 'chunks'>) => onProgress?.({ ...now, chunks: 0 });
    await ports.files.update({ signal, onProgress: tell });
  };

  return {
    updateFiles,
    watch: ports.files.watch,
    wantsWatch: ports.files.wantsWatch,
    update: async ({ signal, onProgress }) => {
      const sources = await ports.sources();
      const unlisted: string[] = [];
      const files = await walk({ signal }, (path) => unlisted.push(path));
      // This part comes first: it makes searches faster long before the pieces are written.
      await updateFiles({ signal, ...(onProgress === undefined ? {} : { onProgress }) });
      const known = new Map(sources.all(project).map((entry) => [entry.source, entry]));
      const isForgotten = ({ path }: WalkedFile) => known.get(path)?.forgottenMs !== undefined;
      const wanted = files.filter((file) => !isForgotten(file));
      const memory = await ports.memory();
      await readLostAgain({ memory, sources }, project);
      let seen = 0;
      async function* documents(): AsyncGenerator<Document, void, undefined> {
        for (const file of wanted) yield fileDocument(project, file, maxFileBytes);
      }
      const done = await addDocuments({ memory, sources, clock }, project, documents(), {
        signal,
        isIndex: true,
        onProgress: ({ chunks }) => {
          seen += 1;
          onProgress?.({ files: seen, of: wanted.length, chunks });
        },
      });
      for (const path of unlisted) noteUnreadable(done, path);
      const there = new Set(files.map(({ path }) => path));
      const lost = indexed(sources)
        .filter(({ source, forgottenMs }) => forgottenMs === undefined && !there.has(source))
        .map(({ source }) => source);
      const removed = await dropSources({ memory, sources }, project, lost, signal);
      if (done.chunks > 0) {
        // A small batch went to the journal, which has no vectors; the flush makes them.
        await memory.flush({ signal });
        await memory.settle({ signal });
      }
      return {
        ...done,
        removed: done.removed + removed,
        gone: lost.length,
        forgotten: files.length - wanted.length,
      };
    },
    state: async ({ signal }) => {
      const sources = await ports.sources();
      const kept = new Map(indexed(sources).map((entry) => [entry.source, entry]));
      const search = await ports.files.state();
      const state = { files: 0, changed: 0, added: 0, gone: 0, search };
      if (kept.size === 0) return state;
      const unread = await lostSources({ memory: await ports.memory(), sources }, project);
      const lost = new Set(unread.map(({ source }) => source));
      const there = new Set<string>();
      for (const { path, bytes, changedMs } of await walk({ signal })) {
        there.add(path);
        const entry = kept.get(path) ?? sources.get(project, path);
        if (entry?.forgottenMs !== undefined) continue;
        if (entry === undefined) state.added += 1;
        else if (entry.bytes !== bytes || entry.changedMs !== changedMs || lost.has(path))
          state.changed += 1;
      }
      for (const { source, forgottenMs } of kept.values()) {
        if (forgottenMs !== undefined) continue;
        state.files += 1;
        if (!there.has(source)) state.gone += 1;
      }
      return state;
    },
    remove: async ({ signal }) => {
      await ports.files.remove();
      const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
      const own = indexed(sources);
      const names = own.flatMap(({ source, forgottenMs }) =>
        forgottenMs === undefined ? [source] : [],
      );
      const removed = await dropSources({ memory, sources }, project, names, signal);
      // A forgotten source stays forgotten.
      const forgotten = own.filter(({ forgottenMs }) => forgottenMs !== undefined);
      sources.put(forgotten.map(({ isIndexed: _was, ...rest }) => rest));
      return removed;
    },
    workspaces: async () => (await ports.sources()).indexedProjects(),
  };
}
