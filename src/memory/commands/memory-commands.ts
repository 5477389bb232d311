import { lstatSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import { KernelError } from '../../contracts/error.ts';
import type {
  FlushableMemory,
  LayerCounts,
  MemoryFilter,
  MemoryLayer,
  MemoryRow,
} from '../../contracts/memory.ts';
import {
  type MemorySource,
  type MemorySources,
  maxSourceBytes,
} from '../../contracts/memory-store.ts';
import type { Added, MemoryExplanation } from '../../contracts/output/parse-memory.ts';
import { protectedBelow } from '../../lib/files/paths.ts';
import { rawPath, realpathSync } from '../../lib/files/raw-fs.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { escapeLine, unprintablePath } from '../../lib/text/escape.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import {
  addDocuments,
  asUnfinished,
  type Document,
  noteUnreadable,
  readLostAgain,
} from '../add-documents.ts';
import {
  dropSources,
  fileDocument,
  filterParts,
  findSources,
  isBelow,
  type KnownFile,
  sourcesAtOnce,
  sumOf,
} from '../file-documents.ts';
import { walkFiles } from '../walk-files.ts';
import { answersFrom, explainMemory, forgetSaid } from './derived-rows.ts';

type Options = { signal: AbortSignal };

export type MemoryCommands = {
  /**
   * Reads a file or a folder of the workspace into `assets`. For a folder it also removes what was
   * read from it before and is gone.
   *
   * @param path absolute, or relative to the current folder
   * @throws {KernelError} `permission-denied` for a protected name or one outside the workspace
   */
  addPath(
    path: string,
    options: Options & { onProgress?: (done: Added, source: string) => void },
  ): Promise<Added>;
  /** Keeps a text under a name. */
  addText(text: string, source: string, options: Options): Promise<Added>;
  /** Why a row is there, what drew on it, and how it does in a search for `query`. */
  explain(row: MemoryRow, options: Options & { query?: string }): Promise<MemoryExplanation>;
  /**
   * The sources that a person means by a name, a path or a folder.
   *
   * @throws {KernelError} `not-found` where nothing came from it, with names that are near
   */
  sourcesOf(typed: string, options: Options): Promise<string[]>;
  /** The number of rows of this workspace that match a filter, by layer. */
  count(filter: MemoryFilter, options: Options): Promise<LayerCounts>;
  /** Answers of this workspace that used rows of these sources, or files with their names. */
  derivedFrom(sources: readonly string[], options: Options): Promise<MemoryRow[]>;
  /**
   * Makes the tables of this machine anew. Files of this workspace are read again at once, files of
   * other workspaces by their next update.
   */
  rebuild(
    options: Options & { onProgress?: (progress: { done: number; of: number }) => void },
  ): Promise<{ rows: number; unread: string[]; files: number }>;
  /**
   * Removes rows of this workspace. A named source that has no row left stays out until it is added
   * again. A run that is named alone also loses all that is kept of it, with its undo.
   *
   * @throws {KernelError} `invalid-argument` when nothing narrows it
   */
  forget(filter: MemoryFilter, options: Options): Promise<LayerCounts>;
  /** Deletes a session with all that came of it. */
  forgetSession(id: string, options: Options): Promise<void>;
  /** Writes the tables and the store anew, so that what was removed is in no file. */
  compact(options: Options): Promise<MemoryLayer[]>;
};

export function createMemoryCommands(ports: {
  config: Config;
  clock: Clock;
  memory(): Promise<FlushableMemory>;
  sources(): Promise<MemorySources>;
  store(): Promise<StoreWithJournal>;
  /** takes away prompt states and vectors, which also hold texts of memory */
  dropDerived(): Promise<void>;
  /** takes away states of files and outputs that no run names, and dry runs of these runs */
  dropKept(store: StoreWithJournal, runs: readonly string[]): void;
}): MemoryCommands {
  const { config, clock } = ports;
  const project = config.workspace;
  const { isProtected } = createContentGate(protectedBelow(config));
  const partsOf = (filter: MemoryFilter) => filterParts(project, filter);
  const inParts = (filter: MemoryFilter, work: (part: MemoryFilter) => Promise<LayerCounts>) =>
    sumOf(partsOf(filter), work);

  const withPieces = async (names: readonly string[], options: Options): Promise<Set<string>> => {
    const memory = await ports.memory();
    const there = new Set<string>();
    for (const part of partsOf({ sources: names, layer: 'assets' })) {
      for (const source of await memory.sources(part, options)) there.add(source);
    }
    return there;
  };

  const add = async (
    documents: AsyncIterable<Document>,
    options: Options & { onProgress?: (done: Added, source: string) => void },
  ): Promise<Added> => {
    const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
    await readLostAgain({ memory, sources }, project);
    return await addDocuments({ memory, sources, clock }, project, documents, options);
  };

  const documentOf = (file: KnownFile): Document => fileDocument(project, file, maxSourceBytes);

  const dropLost = async (folder: string, seen: ReadonlySet<string>, { signal }: Options) => {
    const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
    const lost = sources
      .all(project)
      .filter(({ source, changedMs }) => changedMs !== undefined && isBelow(source, folder))
      .filter(({ source, forgottenMs }) => forgottenMs === undefined && !seen.has(source))
      .map(({ source }) => source);
    return await dropSources({ memory, sources }, project, lost, signal);
  };

  return {
    addPath: async (path, options) => {
      const { inside, isFolder, bytes, changedMs } = locate(project, path);
      if (inside !== '' && isProtected(inside, 'work')) throw withheld(inside);
      if (unprintablePath.test(inside)) throw unwritable(inside);
      if (!isFolder) return await add(one(documentOf({ path: inside, bytes, changedMs })), options);
      const seen = new Set<string>();
      const unlisted: string[] = [];
      const files = walkFiles(project, inside, (at) => isProtected(at, 'work'), {
        signal: options.signal,
        onUnreadable: (at) => unlisted.push(at),
      });
      async function* documents(): AsyncGenerator<Document, void, undefined> {
        for await (const file of files) {
          seen.add(file.path);
          yield documentOf(file);
        }
      }
      const done = await add(documents(), options);
      for (const at of unlisted) noteUnreadable(done, at);
      return { ...done, removed: done.removed + (await dropLost(inside, seen, options)) };
    },
    addText: (text, source, options) => {
      const bytes = Buffer.byteLength(text);
      return add(one({ source, bytes, read: async () => text }), options);
    },
    explain: async (row, options) => {
      const [memory, store] = await Promise.all([ports.memory(), ports.store()]);
      return await explainMemory({ memory, store, nowMs: clock.nowMs() }, row, options);
    },
    sourcesOf: async (typed, options) => {
      const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
      return findSources(typed, project, await knownSources({ memory, sources, project }, options));
    },
    count: async (filter, options) => {
      const memory = await ports.memory();
      return await inParts(filter, (part) => memory.count(part, options));
    },
    derivedFrom: async (sources, options) => {
      const [memory, store] = await Promise.all([ports.memory(), ports.store()]);
      return await answersFrom({ memory, store }, { project, sources }, options);
    },
    rebuild: async (options) => {
      const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
      const made = await memory.rebuild(options);
      if (config.memory.shared !== undefined) return { ...made, files: 0 };
      const isReadable = (source: string) => !isProtected(source, 'work');
      const documents = filesAgain({ project, sources, isReadable, documentOf });
      const { signal } = options;
      const { added } = await addDocuments({ memory, sources, clock }, project, documents, {
        signal,
      });
      return { ...made, files: added };
    },
    forget: async (filter, options) => {
      if (Object.values(filter).every((value) => value === undefined)) {
        throw nothingNamed();
      }
      const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
      const named = filter.source === undefined ? (filter.sources ?? []) : [filter.source];
      const forgottenMs = clock.nowMs();
      const mark = (names: Iterable<string>): void =>
        sources.put(
          [...names].map((source) => {
            const known = sources.get(project, source);
            return { ...(known ?? { project, source, hash: '', bytes: 0 }), forgottenMs };
          }),
        );
      const isWhole = takesWholeSources(filter);
      // Mark them first: a process that reads files meanwhile would bring them back otherwise.
      if (isWhole) mark(named);
      const store = await ports.store();
      await forgetSaid({ memory, store }, [...partsOf(filter)], options);
      const { run } = filter;
      const isRun = run !== undefined && Object.keys(filter).length === 1;
      if (isRun && store.run(run)?.project === project) store.forgetRun(run);
      ports.dropKept(store, isRun ? [run] : []);
      const before = isWhole ? new Set<string>() : await withPieces(named, options);
      const forgotten = await inParts(filter, (part) =>
        memory.forget(part, { ...options, wipe: true }),
      );
      // A file that keeps a piece is still read when it changes; the piece would grow old otherwise.
      if (before.size > 0) mark(before.difference(await withPieces([...before], options)));
      // Derived files hold these texts too; they are made anew without the forgotten ones.
      await ports.dropDerived();
      store.scrub();
      return forgotten;
    },
    forgetSession: (id, options) => forgetSession(ports, id, options),
    compact: async ({ signal }) => {
      const [memory, store] = await Promise.all([ports.memory(), ports.store()]);
      const layers = await memory.optimize(clock.nowMs(), { signal, force: true });
      store.scrub();
      return layers;
    },
  };
}

/** All sources that memory knows: of rows, of files read, and forgotten ones. */
async function knownSources(
  ports: { memory: FlushableMemory; sources: MemorySources; project: string },
  options: Options,
): Promise<Parameters<typeof findSources>[2]> {
  const { memory, sources, project } = ports;
  const [ofRows, ofPieces] = await Promise.all([
    memory.sources({ project }, options),
    memory.sources({ project, layer: 'assets' }, options),
  ]);
  const live = new Set<string>();
  const forgotten = new Set<string>();
  for (const { source, forgottenMs } of sources.all(project)) {
    (forgottenMs === undefined ? live : forgotten).add(source);
  }
  return { named: ofRows.union(live), read: ofPieces.union(live), forgotten };
}

/**
 * Marks the files of all workspaces to be read again, and yields the ones of this workspace that
 * still exist.
 */
async function* filesAgain(ports: {
  project: string;
  sources: MemorySources;
  isReadable(source: string): boolean;
  documentOf(file: KnownFile): Document;
}): AsyncGenerator<Document, void, undefined> {
  const { project, sources, isReadable, documentOf } = ports;
  const isFile = ({ changedMs, forgottenMs }: MemorySource) =>
    changedMs !== undefined && forgottenMs === undefined;
  for (const of of sources.projects()) {
    sources.put(sources.all(of).filter(isFile).map(asUnfinished));
  }
  for (const { source } of sources.all(project).filter(isFile)) {
    const file = statSync(join(project, source), { throwIfNoEntry: false });
    if (file?.isFile() !== true || !isReadable(source)) continue;
    yield documentOf({ path: source, bytes: file.size, changedMs: file.mtimeMs });
  }
}

function nothingNamed(): KernelError {
  return new KernelError('invalid-argument', 'no option says what memory should forget', {
    hint: 'Name it: --id ID, --source PATH, --run ID or --before AGE',
  });
}

/** Whether the filter names sources and nothing else. */
function takesWholeSources({ source: _, sources: __, ...rest }: MemoryFilter): boolean {
  return Object.values(rest).every((value) => value === undefined);
}

function withheld(path: string): KernelError {
  return new KernelError('permission-denied', `"${path}" is a protected name and is not read`, {
    hint: 'A person can lift a name in config.toml; see docs/configuration.md.',
  });
}

function unwritable(path: string): KernelError {
  const message = `"${escapeLine(path)}" holds a control character or a backslash, and is not a path that an answer could name`;
  return new KernelError('invalid-argument', message, {
    hint: 'Rename it, or pass its text: cuervo memory add - --source NAME < FILE',
  });
}

/** The path without links, which could lead out of the workspace or to a protected name. */
function locate(workspace: string, path: string) {
  // An empty path would mean the current folder; mostly it is a shell variable that was not set.
  if (path === '') {
    throw new KernelError('invalid-argument', 'the path to read is empty', {
      hint: 'Name a file or folder, e.g. cuervo memory add docs; the current folder is .',
    });
  }
  const absolute = isAbsolute(path) ? path : resolve(path);
  let real: string;
  try {
    real = realpathSync(absolute);
  } catch (thrown) {
    throw new KernelError('not-found', `there is no "${path}"`, {
      cause: thrown,
      hint: 'Name an existing file or folder, or - for standard input, e.g. cuervo memory add docs',
    });
  }
  const inside = relative(realpathSync(workspace), real).split(sep).join('/');
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) {
    throw new KernelError('permission-denied', `"${path}" is not in the workspace ${workspace}`, {
      hint: 'Name the folder it is in with --workspace DIR, or pass its text: cuervo memory add - --source NAME < FILE',
    });
  }
  const found = lstatSync(rawPath(real));
  if (!found.isDirectory() && !found.isFile()) {
    throw new KernelError('invalid-argument', `"${path}" is neither a file nor a folder`);
  }
  const { size: bytes, mtimeMs: changedMs } = found;
  return { inside, isFolder: found.isDirectory(), bytes, changedMs };
}

async function* one<Item>(item: Item): AsyncGenerator<Item, void, undefined> {
  yield item;
}

/** Deletes a session: what was said in it, what its runs did, and the rows of memory it left. */
async function forgetSession(
  ports: {
    config: Config;
    memory(): Promise<FlushableMemory>;
    store(): Promise<StoreWithJournal>;
    dropDerived(): Promise<void>;
    dropKept(store: StoreWithJournal, runs: readonly string[]): void;
  },
  session: string,
  options: { signal: AbortSignal },
): Promise<void> {
  const store = await ports.store();
  const runs = store.runsOf(session);
  const rows = store.memoryJournal.book.saidIn(session, runs);
  for (let at = 0; at < rows.length; at += sourcesAtOnce) {
    const filter = { ids: rows.slice(at, at + sourcesAtOnce) };
    const memory = await ports.memory();
    await forgetSaid({ memory, store }, [filter], options);
    await memory.forget(filter, { ...options, wipe: true });
  }
  store.deleteSession(session, runs);
  ports.dropKept(store, runs);
  await ports.dropDerived();
  store.scrub();
}
