import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { KernelError } from '../contracts/error.ts';
import type {
  Added,
  LayerCounts,
  MemoryExplanation,
  MemoryFilter,
  MemoryRow,
} from '../contracts/memory.ts';
import { type MemorySources, maxSourceBytes } from '../contracts/memory-sources.ts';
import { protectAlso } from '../host/below/protected-check.ts';
import type { Clock } from '../lib/clock.ts';
import { addDocuments, type Document, noteUnreadable } from '../memory/add-documents.ts';
import type { FlushableMemory } from '../memory/open-memory.ts';
import { walkFiles } from '../memory/walk-files.ts';
import type { StoreWithJournal } from '../store/open-store.ts';
import { explainMemory } from './explain-memory.ts';
import { dropSources, fileDocument, type KnownFile } from './file-documents.ts';
import { protectedBelow } from './roots.ts';
import type { WordFiles } from './word-files.ts';

type Options = { signal: AbortSignal };

export type MemoryCommands = {
  /**
   * Reads a file or a folder of the workspace into `assets`; of a folder also takes away what was
   * read of it before and is no more.
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
  /** Rows of this workspace that a filter takes, and how they are spread. */
  count(filter: MemoryFilter, options: Options): Promise<LayerCounts>;
  /**
   * Takes rows of this workspace away. A source that is named stays out until it is added again.
   *
   * @throws {KernelError} `invalid-argument` when nothing narrows it
   */
  forget(filter: MemoryFilter, options: Options): Promise<LayerCounts>;
};

export function createMemoryCommands(ports: {
  config: Config;
  clock: Clock;
  memory(): Promise<FlushableMemory>;
  sources(): Promise<MemorySources>;
  store(): Promise<StoreWithJournal>;
  /** takes away what is kept of texts beside memory itself */
  dropVectors(): Promise<void>;
  words: Pick<WordFiles, 'remove'>;
}): MemoryCommands {
  const { config, clock } = ports;
  const project = config.workspace;
  const isProtected = protectAlso(protectedBelow(config));
  const mine = (filter: MemoryFilter): MemoryFilter => ({ project, ...filter });

  const add = async (
    documents: AsyncIterable<Document>,
    options: Options & { onProgress?: (done: Added, source: string) => void },
  ): Promise<Added> => {
    const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
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
      if (!isFolder) return await add(one(documentOf({ path: inside, bytes, changedMs })), options);
      const seen = new Set<string>();
      const unlisted: string[] = [];
      const files = walkFiles(
        project,
        inside,
        (at) => isProtected(at, 'work'),
        (at) => unlisted.push(at),
      );
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
    count: async (filter, options) => await (await ports.memory()).count(mine(filter), options),
    forget: async (filter, options) => {
      if (Object.values(filter).every((value) => value === undefined)) {
        throw new KernelError('invalid-argument', 'nothing says what memory is to forget', {
          hint: 'Name it: --id ID, --source PATH, --run ID or --before AGE',
        });
      }
      const [memory, sources] = await Promise.all([ports.memory(), ports.sources()]);
      if (filter.source !== undefined) {
        // First, so that nothing that looks at files in between brings it back.
        const known = sources.get(project, filter.source);
        const entry = known ?? { project, source: filter.source, hash: '', bytes: 0 };
        sources.put([{ ...entry, forgottenMs: clock.nowMs() }]);
      }
      const forgotten = await memory.forget(mine(filter), { ...options, wipe: true });
      // They are of files as well, and are made anew without what was forgotten.
      if (filter.source !== undefined || forgotten.assets > 0) ports.words.remove();
      await ports.dropVectors();
      return forgotten;
    },
  };
}

function withheld(path: string): KernelError {
  return new KernelError('permission-denied', `"${path}" is a protected name and is not read`, {
    hint: 'A person can lift a name in config.toml; see docs/configuration.md.',
  });
}

function isBelow(source: string, folder: string): boolean {
  return folder === '' || source === folder || source.startsWith(`${folder}/`);
}

/** The path without links, which could lead out of the workspace or to a protected name. */
function locate(workspace: string, path: string) {
  const absolute = isAbsolute(path) ? path : resolve(path);
  let real: string;
  try {
    real = realpathSync(absolute);
  } catch (thrown) {
    throw new KernelError('not-found', `there is no "${path}"`, {
      cause: thrown,
      hint: 'Name a file or folder that is there, or - for standard input, e.g. cuervo memory add docs',
    });
  }
  const inside = relative(realpathSync(workspace), real).split(sep).join('/');
  if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) {
    throw new KernelError('permission-denied', `"${path}" is not in the workspace ${workspace}`, {
      hint: 'Name the folder it is in with --workspace DIR, or hand its text over: cuervo memory add - --source NAME < FILE',
    });
  }
  const found = lstatSync(real);
  if (!found.isDirectory() && !found.isFile()) {
    throw new KernelError('invalid-argument', `"${path}" is neither a file nor a folder`);
  }
  const { size: bytes, mtimeMs: changedMs } = found;
  return { inside, isFolder: found.isDirectory(), bytes, changedMs };
}

async function* one<Item>(item: Item): AsyncGenerator<Item, void, undefined> {
  yield item;
}
