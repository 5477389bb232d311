import { KernelError } from '../contracts/error.ts';
import type { Memory, MemoryQuery } from '../contracts/memory.ts';
import type { MemoryJournal } from '../contracts/memory-journal.ts';
import { checkRecord } from './check-record.ts';
import { spaceWords } from './content-words.ts';
import { cutText } from './cut-text.ts';
import { flushPending } from './flush-pending.ts';
import { type LanceIndex, openLanceIndex } from './lance-index.ts';
import { memoryId } from './memory-id.ts';
import { type Candidate, rankHits } from './rank-hits.ts';
import { scorePending } from './score-pending.ts';
import { matchesFilter, whereClause } from './where-clause.ts';

/** The memory service, with its maintenance. */
export type FlushableMemory = Memory & {
  /**
   * Moves what is pending into the search index, whatever its number.
   *
   * @returns rows moved and rows still pending; `moved` is undefined when another process is at it
   */
  flush(options: { signal: AbortSignal }): Promise<{ moved: number | undefined; pending: number }>;
};

export type MemoryPorts = {
  /** folder of the LanceDB tables; made by the first flush */
  directory: string;
  journal: MemoryJournal;
  clock: { nowMs(): number };
  /** told in one sentence when a flush failed; nothing is lost then */
  warn?: (message: string) => void;
};

/** A flush loads LanceDB and costs about 0.2 s: one question in eight or more pays for it. */
const flushThreshold = 16;
const maxQueryCharacters = 2_000;
const candidateRows = 200;
const maxHits = 32;
// reached only when flushing has failed for long; the newest are the ones asked for
const maxPendingSearched = 5_000;

/**
 * Opens memory without touching the disk: records go to the journal, which is searched together
 * with the LanceDB table that flushes fill. LanceDB is loaded when that table has to be read or
 * written. The caller owns the result and keeps the journal open until it is disposed.
 */
export async function openMemory(ports: MemoryPorts): Promise<FlushableMemory> {
  const { journal, clock } = ports;
  const index = openLanceIndex(ports.directory);
  // one after the other: what is disposed must not be in use
  let working: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = working.then(work);
    working = result.catch(() => undefined); // the caller gets the error
    return result;
  };
  const flush = (signal: AbortSignal) =>
    inTurn(() => flushPending({ journal, index, clock }, { signal }));
  return {
    remember: async (records, { signal }) => {
      stopIfAborted(signal);
      const rows = records.map((record) => ({ id: memoryId(record), record: checkRecord(record) }));
      if (rows.length > 0) journal.append(rows);
      if (journal.count() >= flushThreshold) {
        await flush(signal).catch((thrown: unknown) => {
          // the records are durable already; the next call tries again
          const reason = thrown instanceof Error ? thrown.message : String(thrown);
          ports.warn?.(`memory keeps its rows in the store for now: ${reason}`);
        });
      }
      return rows.map(({ id }) => id);
    },
    search: (query, { signal }) => inTurn(() => search({ journal, index, clock }, query, signal)),
    flush: async ({ signal }) => ({ moved: await flush(signal), pending: journal.count() }),
    [Symbol.asyncDispose]: () => inTurn(async () => index[Symbol.dispose]()),
  };
}

async function search(
  ports: { journal: MemoryJournal; index: LanceIndex; clock: { nowMs(): number } },
  query: MemoryQuery,
  signal: AbortSignal,
): ReturnType<Memory['search']> {
  stopIfAborted(signal);
  const limit = checkHitLimit(query.limit);
  const question = spaceWords(cutText(query.text, maxQueryCharacters)).toWellFormed();
  const elsewhere = query.layer !== undefined && query.layer !== 'interact';
  if (limit === 0 || elsewhere || question.trim() === '') return [];

  // The journal first: a row that moves in between is then seen twice and not missed.
  const pending = ports.journal
    .pending({ limit: maxPendingSearched, order: 'newest' })
    .filter(({ record }) => matchesFilter(record, query));
  const indexed = ports.index.exists()
    ? await ports.index.search(question, whereClause(query), candidateRows)
    : [];
  stopIfAborted(signal);
  const indexedRows =
    pending.length > 0 && ports.index.exists() ? await ports.index.countRows() : 0;
  const scores = scorePending(
    question,
    pending.map(({ record }) => record.context),
    indexed.map(({ record, bm25 }) => ({ context: record.context, bm25 })),
    indexedRows,
  );
  const candidates: Candidate[] = [
    ...pending.map((row, position) => ({ ...row, bm25: scores[position]! })),
    ...indexed,
  ];
  return rankHits(candidates, { nowMs: ports.clock.nowMs(), limit });
}

function checkHitLimit(limit: number): number {
  if (Number.isFinite(limit) && limit >= 0) return Math.min(maxHits, Math.floor(limit));
  throw new KernelError('invalid-argument', `limit is ${limit}, not a number from 0 to ${maxHits}`);
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
}
