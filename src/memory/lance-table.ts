import type { Connection, IntoVector, Table } from '@lancedb/lancedb';
import type { MemoryLayer, MemoryRecord, MemoryRow } from '../contracts/memory.ts';
import { planIndices } from './index-policy.ts';
import { fromLanceRow, type LanceRow, lanceSchema, toLanceRow } from './lance-schema.ts';
import type { TableName } from './table-names.ts';

/** A row that an arm found; `vector` is there where the arm was asked by words. */
export type FoundRow = MemoryRow & { bm25?: number; cosine?: number; vector?: Float32Array };

/** A row to be written, with its vector when there is an embedder. */
export type WrittenRow = MemoryRow & { made?: { vector: Float32Array; embedder: string } };

/** One table of LanceDB. Filters are SQL that `whereClause` made. */
export type LanceTable = Disposable & {
  readonly name: TableName;
  /** best first */
  searchWords(question: string, where: string | undefined, limit: number): Promise<FoundRow[]>;
  /** nearest first */
  searchVector(vector: Float32Array, where: string | undefined, limit: number): Promise<FoundRow[]>;
  /** BM25 of chosen rows; a row without a word of the question is not in it */
  scoreWords(question: string, ids: readonly string[]): Promise<Map<string, number>>;
  /** in the order of the table */
  rows(where: string | undefined, page: { limit: number; offset: number }): Promise<MemoryRow[]>;
  /** id and time of all that match: little of each row is read */
  times(where: string | undefined): Promise<{ id: string; ts: number }[]>;
  countRows(where?: string): Promise<number>;
  /** Adds rows; one whose id is there takes its place. All or nothing. */
  write(rows: readonly WrittenRow[]): Promise<void>;
  remove(where: string): Promise<void>;
  /** @returns false when no threshold was reached */
  optimize(nowMs: number, force: boolean): Promise<boolean>;
  fragments(): Promise<number>;
};

const searchTimeoutMs = 10_000;
// rows outside the index are searched too, only slower, so this is about size and speed alone
const maxUnindexedRows = 512;
const maxUnindexedShare = 0.1;
const maxFragments = 16;
// long enough for any search that has an old version open
const keepVersionsMs = 10 * 60_000;
/** Vectors that are looked at again, whole, for each wanted one, where the index keeps them rounded. */
const refineFactor = 20;
/** Another process may have built an index meanwhile. */
const indexAgeMs = 30_000;

const columns = [
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
];

/** Opens the table, and makes it and its full-text index where `make` says so. */
export async function openLanceTable(
  connection: Connection,
  name: TableName,
  options: { make: boolean },
): Promise<LanceTable> {
  const { Index, makeArrowTable } = await import('@lancedb/lancedb');
  const { layer } = name;
  const schema = async () => lanceSchema(await import('apache-arrow'), name.dimensions);
  const table = options.make
    ? await connection.createEmptyTable(name.table, await schema(), { existOk: true })
    : await connection.openTable(name.table);
  // asked for each time: a process may have died between the table and its index
  if (options.make && (await table.listIndices()).length === 0) {
    const config = Index.fts({ stem: true, removeStopWords: true, withPosition: false });
    await table.createIndex('context', { config });
  }
  const vectorIndex = rememberFor(indexAgeMs, () => vectorIndexOf(table));
  const wordQuery = (question: string, selected: string[], limit: number) =>
    table
      .query()
      .fullTextSearch(question, { columns: ['context'] })
      // left out, every query writes a warning to stderr
      .select([...selected, '_score'])
      .limit(limit);
  return {
    name,
    searchWords: async (question, where, limit) => {
      const query = wordQuery(question, [...columns, 'vector'], limit);
      if (where !== undefined) query.where(where);
      const rows: Scored[] = await query.toArray({ timeoutMs: searchTimeoutMs });
      return rows.map((row) => ({
        ...toRow(layer, row),
        bm25: row._score,
        ...(row.vector === null ? {} : { vector: Float32Array.from(row.vector) }),
      }));
    },
    searchVector: async (vector, where, limit) => {
      const query = table
        .query()
        .nearestTo(vector as IntoVector)
        .column('vector')
        .distanceType('cosine')
        .select([...columns, '_distance'])
        .limit(limit);
      if ((await vectorIndex.get()) === 'IvfPq') query.refineFactor(refineFactor);
      if (where !== undefined) query.where(where);
      const rows: Near[] = await query.toArray({ timeoutMs: searchTimeoutMs });
      return rows.map((row) => ({ ...toRow(layer, row), cosine: 1 - row._distance }));
    },
    scoreWords: async (question, ids) => {
      const query = wordQuery(question, ['id'], ids.length);
      // ids are hex of our own making
      query.where(`id IN (${ids.map((id) => `'${id}'`).join(', ')})`);
      const rows: Scored[] = await query.toArray({ timeoutMs: searchTimeoutMs });
      return new Map(rows.map(({ id, _score }) => [id, _score]));
    },
    rows: async (where, { limit, offset }) => {
      const query = table.query().select(columns).limit(limit).offset(offset);
      if (where !== undefined) query.where(where);
      const rows: LanceRow[] = await query.toArray();
      return rows.map((row) => toRow(layer, row));
    },
    times: async (where) => {
      const query = table.query().select(['id', 'ts']);
      if (where !== undefined) query.where(where);
      const rows: { id: string; ts: bigint }[] = await query.toArray();
      return rows.map(({ id, ts }) => ({ id, ts: Number(ts) }));
    },
    countRows: (where) => table.countRows(where),
    write: async (rows) => {
      const data = rows.map(({ id, record, made }) => toLanceRow(id, record, made));
      await table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(makeArrowTable(data, { schema: await schema() }));
    },
    remove: async (where) => {
      await table.delete(where);
    },
    optimize: async (nowMs, force) => {
      const { fragmentStats } = await table.stats();
      const unindexedRows =
        (await table.indexStats('context_idx'))?.numUnindexedRows ?? maxUnindexedRows;
      // A share of the table, too: each time costs as much as the table is large.
      const allowedRows = Math.max(maxUnindexedRows, maxUnindexedShare * (await table.countRows()));
      const isDue = unindexedRows >= allowedRows || fragmentStats.numFragments >= maxFragments;
      if (!isDue && !force) return false;
      await table.optimize({ cleanupOlderThan: new Date(nowMs - keepVersionsMs) });
      const wanted = planIndices(
        layer,
        await table.countRows('vector IS NOT NULL'),
        name.dimensions,
      );
      const present = (await table.listIndices()).map(({ indexType }) => indexType);
      for (const { column, type, config } of wanted(Index)) {
        if (!present.includes(type)) await table.createIndex(column, { config, replace: true });
      }
      vectorIndex.forget();
      return true;
    },
    fragments: async () => (await table.stats()).fragmentStats.numFragments,
    [Symbol.dispose]: () => table.close(),
  };
}

type Scored = LanceRow & { _score: number };
type Near = LanceRow & { _distance: number };

function toRow(layer: MemoryLayer, row: LanceRow): { id: string; record: MemoryRecord } {
  return { id: row.id, record: fromLanceRow(layer, row) };
}

async function vectorIndexOf(table: Table): Promise<string | undefined> {
  const indices = await table.listIndices();
  return indices.find(({ columns: [column] }) => column === 'vector')?.indexType;
}

function rememberFor<T>(ageMs: number, read: () => Promise<T>) {
  let kept: { value: Promise<T>; untilMs: number } | undefined;
  return {
    get: (): Promise<T> => {
      if (kept === undefined || performance.now() > kept.untilMs) {
        kept = { value: read(), untilMs: performance.now() + ageMs };
      }
      return kept.value;
    },
    forget: () => {
      kept = undefined;
    },
  };
}
