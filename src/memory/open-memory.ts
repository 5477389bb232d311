import { hostname } from 'node:os';
import { KernelError, reasonOf } from '../contracts/error.ts';
import type {
  FlushableMemory,
  MemoryEmbedder,
  MemoryHit,
  MemoryQuery,
  MemoryRecord,
  MemoryReranker,
  MemoryRow,
  MemoryUpkeep,
} from '../contracts/memory.ts';
import type { MemoryJournal } from '../contracts/memory-store.ts';
import { newId } from '../lib/ids-clock.ts';
import { sayOnce } from '../lib/memo.ts';
import { asInStore, settleFacts, teamFacts, withTeam } from './facts/settle-facts.ts';
import { flushPending, ingestRows } from './flush-pending.ts';
import { asShown, defaultRetention, type Retention } from './layers.ts';
import { checkRecord, memoryId } from './memory-record.ts';
import { makeMeanings, missingMeanings } from './rebuild.ts';
import { nearPieces, rerankPieces } from './search/near-pieces.ts';
import { maxHits } from './search/search-memory.ts';
import { searchThere } from './search/search-there.ts';
import { openLanceIndex } from './tables/lance-index.ts';
import { type SharedStorage, sharedPlace } from './tables/shared-place.ts';
import { localPlace, type TablePlace, withWriteLock } from './tables/table-place.ts';
import { createUpkeep } from './upkeep.ts';

export type MemoryPorts = {
  /** folder of the LanceDB tables; made by the first flush */
  directory: string;
  /** called before LanceDB is loaded and tables are opened */
  prepareTables?: () => void;
  /** where `insights` and `assets` are when machines share them */
  shared?: SharedStorage;
  journal: MemoryJournal;
  clock: { nowMs(): number };
  /** made by the first search or flush; absent: memory is searched by words alone */
  embedder?: () => Promise<MemoryEmbedder>;
  /** made by the first search; absent: the best hits are not looked at again */
  reranker?: () => Promise<MemoryReranker | undefined>;
  /** a sentence model beside the embedder, for facts */
  meaning?: () => Promise<MemoryEmbedder | undefined>;
  /** how much is kept; the defaults unless given */
  retention?: Retention;
  /** called with one sentence when a flush failed; the rows stay in the journal */
  warn?: (message: string) => void;
};

/** A flush loads LanceDB and costs about 0.2 s: one question in forty-eight or more pays for it. */
const flushThreshold = 96;
/** Rows that may wait; more of them make writers wait. All waiting rows are searched. */
const maxWaiting = 2_000;

/**
 * Opens memory without touching the disk: records go to the journal, which is searched together
 * with the LanceDB tables that flushes fill. LanceDB is loaded when a table has to be read or
 * written. The caller owns the result and keeps the journal open until it is disposed.
 */
export async function openMemory(ports: MemoryPorts): Promise<FlushableMemory> {
  const { directory, journal, clock, retention = defaultRetention } = ports;
  const index = openLanceIndex(localPlace(ports.directory, ports.prepareTables), sharedOf(ports));
  const warn = sayOnce((message) => ports.warn?.(message));
  const models = modelPorts(ports);
  const { embedder } = models;
  const parts = { directory, journal, index, clock, warn, ...models };
  // All running work: disposal waits for it before it closes the tables.
  const working = new Set<Promise<unknown>>();
  const atWork = <T>(work: () => Promise<T>): Promise<T> => {
    const result = work();
    const ended = result.then(
      () => {},
      () => {}, // the caller gets the error
    );
    working.add(ended);
    return result.finally(() => working.delete(ended));
  };
  let writing: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    atWork(() => {
      const result = writing.then(work);
      writing = result.catch(() => undefined); // the caller gets the error
      return result;
    });
  const asWriter = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      await index.endWriting();
    }
  };
  const flush = (signal: AbortSignal): Promise<number | undefined> =>
    inTurn(async () => {
      if (journal.isReadOnly || journal.count() === 0) return 0;
      using lock = journal.tryLock();
      return lock === undefined ? undefined : await asWriter(() => flushPending(parts, { signal }));
    });
  /** Flushes again while enough new rows came meanwhile to be worth a write. */
  const keepUp = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      const moved = await flush(signal);
      if (moved === undefined || moved === 0 || journal.count() < flushThreshold) return;
    }
  };
  let flushing: Promise<void> | undefined;
  const flushBehind = (signal: AbortSignal): Promise<void> => {
    flushing ??= keepUp(signal)
      .then(
        () => {},
        (thrown: unknown) => {
          if (signal.aborted) return; // nobody wants it any more
          // the records are durable already; the next call tries again
          ports.warn?.(keepsRows(thrown));
        },
      )
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  };
  // Callers of one process queue here first, so that only one of them waits for the lock.
  const locked = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    inTurn(() => withWriteLock(journal, signal, () => asWriter(work)));
  const upkeep = createUpkeep({ ...parts, retention, locked, atWork });
  const asRows = (records: readonly MemoryRecord[]): MemoryRow[] =>
    records.map((given) => {
      const record = checkRecord(given);
      return { id: memoryId({ ...given, kind: record.kind }), record };
    });
  // Other machines cannot see a shared layer's rows while they wait in this journal.
  const isAwaited = (rows: readonly MemoryRow[]): boolean =>
    rows.some(({ record }) => index.isShared(record.layer));
  return {
    ...upkeep,
    ...shownRows(upkeep),
    ...meaningWork({ book: journal.book, ...models }, atWork),
    remember: async (records, { signal }) => {
      stopIfAborted(signal);
      const rows = asRows(records);
      if (rows.length > 0) journal.append(rows);
      const waiting = journal.count();
      if (waiting >= flushThreshold || isAwaited(rows)) {
        // The rows are durable already: the caller waits for the flush only if too many rows wait.
        const moved = flushBehind(signal);
        if (waiting >= maxWaiting) await moved;
      }
      return rows.map(({ id }) => id);
    },
    rewrite: async (rows, { signal, run }) => {
      stopIfAborted(signal);
      const checked = rows.map(({ id, record }) => ({ id, record: checkRecord(record) }));
      journal.append(checked, run === undefined ? {} : { run });
      if (isAwaited(checked)) await flushBehind(signal);
    },
    ingest: async (records, { signal, claim, isText = () => false }) => {
      stopIfAborted(signal);
      const rows = asRows(records);
      const texts = rows.filter(({ record }) => isText(record.source ?? ''));
      if (texts.length > 0) journal.book.keep(texts);
      // A few rows are not worth loading LanceDB.
      if (rows.length >= flushThreshold) {
        try {
          await ingestRows({ directory, index, embedder, locked }, rows, { signal, claim });
        } catch (thrown) {
          if (signal.aborted || !index.isShared('assets')) throw thrown;
          // The shared store may be unreachable for long: the rows wait in the journal, as turns
          // do.
          keepWaiting(journal, rows, thrown);
          warn(keepsRows(thrown));
        }
      } else {
        journal.append(rows, { isPiece: true });
        if (isAwaited(rows)) void flushBehind(signal);
      }
    },
    settle: ({ signal }) =>
      locked(signal, async () => {
        await index.change('assets', (table) => table.settle(clock.nowMs()));
      }),
    promote: async (chosen, options) => {
      const made = await upkeep.promote(chosen, options);
      if (made.length > 0 && index.isShared('insights')) void flushBehind(options.signal);
      return made;
    },
    search: (query, { signal }) =>
      atWork(async () => {
        stopIfAborted(signal);
        return await searchSettled(parts, query, { signal, list: upkeep.list });
      }),
    nearPieces: (question, options) =>
      atWork(async () => {
        stopIfAborted(options.signal);
        return await nearPieces(parts, question, options);
      }),
    rerankPieces: (question, pieces, options) =>
      atWork(() => rerankPieces(parts, question, pieces, options)),
    flush: async ({ signal }) => ({ moved: await flush(signal), pending: journal.count() }),
    [Symbol.asyncDispose]: async () => {
      // A flush may start another one after its last write, hence the loop.
      while (working.size > 0 || flushing !== undefined) await Promise.all([...working, flushing]);
      index[Symbol.dispose]();
    },
  };
}

/** Vectors of a sentence model, made ahead of the searches that use them. */
function meaningWork(
  ports: Parameters<typeof missingMeanings>[0],
  atWork: <T>(work: () => Promise<T>) => Promise<T>,
): Pick<FlushableMemory, 'makeMeanings' | 'missingMeanings'> {
  return {
    makeMeanings: (options) => atWork(() => makeMeanings(ports, options)),
    missingMeanings: () => atWork(() => missingMeanings(ports)),
  };
}

/** The models that searches use, and the facts for the sentence model. */
function modelPorts({ journal: { book }, embedder, reranker, meaning }: MemoryPorts) {
  return {
    embedder: async (): Promise<MemoryEmbedder | undefined> => await embedder?.(),
    reranker: async (): Promise<MemoryReranker | undefined> => await reranker?.(),
    meaning: async (): Promise<MemoryEmbedder | undefined> => await meaning?.(),
    facts: (projects: readonly string[] | undefined) => book.facts(projects),
    hasFacts: book.hasFacts,
  };
}

function sharedOf({
  shared,
  directory,
  clock,
  prepareTables,
}: MemoryPorts): TablePlace | undefined {
  if (shared === undefined) return undefined;
  const holder = `${hostname().replace(/[^\w.-]/g, '-')}:${process.pid}:${newId(clock.nowMs())}`;
  return sharedPlace(shared, directory, holder, prepareTables);
}

function keepsRows(thrown: unknown): string {
  const reason = reasonOf(thrown);
  return `memory keeps its rows in the store for now: ${reason}`;
}

/** @throws the error of the table, if waiting cannot help or too many rows wait */
function keepWaiting(journal: MemoryJournal, rows: readonly MemoryRow[], thrown: unknown): void {
  if (!(thrown instanceof KernelError) || thrown.code !== 'unavailable') throw thrown;
  const waiting = journal.count();
  if (waiting + rows.length > maxWaiting) {
    const message = `${thrown.message}, and ${waiting} rows wait for it, limit ${maxWaiting}`;
    const hint = 'Add it again when the store can be reached; what waits moves over then.';
    throw new KernelError('unavailable', message, { cause: thrown, hint });
  }
  journal.append(rows, { isPiece: true });
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
}

function shownRows({ list, rows }: MemoryUpkeep): Pick<MemoryUpkeep, 'list' | 'rows'> {
  return {
    list: async (filter, options) => (await list(filter, options)).map(shownRow),
    rows: async function* (filter, options) {
      for await (const row of rows(filter, options)) yield shownRow(row);
    },
  };
}

async function searchSettled(
  parts: Parameters<typeof searchThere>[0],
  query: MemoryQuery,
  { signal, list }: { signal: AbortSignal; list: MemoryUpkeep['list'] },
): Promise<MemoryHit[]> {
  const { book } = parts.journal;
  // Search for more hits if facts may have replaced each other, since only one of such a chain is
  // shown. Else for no more than asked: each further row is read whole.
  const mayReplace = book.hasFacts() || parts.index.isShared('insights');
  const limit = mayReplace ? Math.min(maxHits, query.limit * 2) : query.limit;
  const hits = await searchThere(parts, { ...query, limit }, { signal });
  // the search reported an unreachable store already
  const rows = parts.index.isShared('insights')
    ? await teamFacts(hits, (filter, most) => list(filter, { signal, limit: most })).catch(
        () => undefined,
      )
    : undefined;
  const settled = settleFacts(asInStore(hits, rows), query, withTeam(book, rows));
  return settled.slice(0, query.limit).map(asShown);
}

function shownRow({ id, record }: MemoryRow): MemoryRow {
  return { id, record: asShown(record) };
}
