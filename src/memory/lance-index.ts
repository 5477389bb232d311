import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import type { MemoryRecord } from '../contracts/memory.ts';
import { fromLanceRow, type LanceRow, lanceSchema, toLanceRow } from './lance-schema.ts';
import { toMemoryError } from './memory-error.ts';

/** A row that the index found, with its BM25 score. */
export type IndexHit = { id: string; record: MemoryRecord; bm25: number };

/** The table `interact` of a LanceDB directory. Only the holder of the flush lock may write. */
export type LanceIndex = Disposable & {
  /** False until the first flush: then there is nothing to load LanceDB for. */
  exists(): boolean;
  /** @param where SQL that `whereClause` made */
  search(question: string, where: string | undefined, limit: number): Promise<IndexHit[]>;
  countRows(): Promise<number>;
  /** Adds rows; one whose id is there takes its place. All or nothing. */
  write(rows: readonly { id: string; record: MemoryRecord }[]): Promise<void>;
  /** Merges small fragments and brings new rows into the index, when there are enough of them. */
  optimizeIfDue(nowMs: number): Promise<void>;
};

const tableName = 'interact';
const searchTimeoutMs = 10_000;
// LanceDB's own defaults are 6 GB and 1 GB; the index of 5,000 turns is about 2 MB
const cacheBytes = 16n << 20n;
// rows outside the index are searched too, only slower, so this is about size and speed alone
const maxUnindexedRows = 512;
const maxFragments = 16;
// long enough for any search that has an old version open
const keepVersionsMs = 10 * 60_000;

const hitColumns = [
  'id',
  'text',
  'context',
  'kind',
  'tags',
  'project',
  'session',
  'source',
  'run',
  'ts',
  // left out, every query writes a warning to stderr
  '_score',
] as const;

/**
 * LanceDB is loaded by the first search of an existing table or the first write, not before. The
 * caller owns the result.
 *
 * @throws {KernelError} every method: `unavailable` when the files cannot be read or written,
 *   `resource-exhausted` when the disk is full
 */
export function openLanceIndex(directory: string): LanceIndex {
  let connection: Connection | undefined;
  let table: Table | undefined;
  const connect = async (): Promise<Connection> => {
    if (connection !== undefined) return connection;
    const { connect, Session } = await import('@lancedb/lancedb');
    // 0: every read sees what other processes have written
    const options = { readConsistencyInterval: 0 };
    connection = await connect(directory, options, new Session(cacheBytes, cacheBytes));
    return connection;
  };
  const openTable = async (): Promise<Table> => {
    table ??= await (await connect()).openTable(tableName);
    return table;
  };
  const makeTable = async (): Promise<Table> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const { Index } = await import('@lancedb/lancedb');
    const schema = lanceSchema(await import('apache-arrow'));
    table ??= await (await connect()).createEmptyTable(tableName, schema, { existOk: true });
    // asked for each time: a process may have died between the table and its index
    if ((await table.listIndices()).length === 0) {
      const config = Index.fts({ stem: true, removeStopWords: true, withPosition: false });
      await table.createIndex('context', { config });
    }
    return table;
  };
  const named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw toMemoryError(thrown, directory);
    }
  };
  return {
    exists: () => existsSync(join(directory, `${tableName}.lance`, '_versions')),
    search: (question, where, limit) =>
      named(async () => {
        const query = (await openTable())
          .query()
          .fullTextSearch(question, { columns: ['context'] })
          .select([...hitColumns])
          .limit(limit);
        if (where !== undefined) query.where(where);
        const rows: (LanceRow & { _score: number })[] = await query.toArray({
          timeoutMs: searchTimeoutMs,
        });
        return rows.map((row) => ({ id: row.id, record: fromLanceRow(row), bm25: row._score }));
      }),
    countRows: () => named(async () => (await openTable()).countRows()),
    write: (rows) =>
      named(async () => {
        const { makeArrowTable } = await import('@lancedb/lancedb');
        const target = await makeTable();
        const schema = lanceSchema(await import('apache-arrow'));
        const data = rows.map(({ id, record }) => toLanceRow(id, record));
        await target
          .mergeInsert('id')
          .whenMatchedUpdateAll()
          .whenNotMatchedInsertAll()
          .execute(makeArrowTable(data, { schema }));
      }),
    optimizeIfDue: (nowMs) =>
      named(async () => {
        const target = await openTable();
        const { fragmentStats } = await target.stats();
        const unindexedRows =
          (await target.indexStats('context_idx'))?.numUnindexedRows ?? maxUnindexedRows;
        if (unindexedRows < maxUnindexedRows && fragmentStats.numFragments < maxFragments) return;
        await target.optimize({ cleanupOlderThan: new Date(nowMs - keepVersionsMs) });
      }),
    [Symbol.dispose]: () => {
      table?.close();
      connection?.close();
      table = undefined;
      connection = undefined;
    },
  };
}
