import type { Connection, IntoVector, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable, Float32, Schema, Vector } from 'apache-arrow';
import type { MemoryLayer, MemoryRow, NearPiece } from '../contracts/memory.ts';
import { planIndices, roundedIndex, roundedSearch } from './index-policy.ts';
import { fromLanceRow, type LanceRow, lanceSchema, toLanceRow } from './lance-schema.ts';
import { loadArrow } from './load-arrow.ts';
import type { TableName } from './table-names.ts';
import { whereClause } from './where-clause.ts';

/** A row that an arm found; `vector` is there where the arm was asked by words. */
export type FoundRow = {
  /** where it lies in the version of the table that was asked */
  rowId: bigint;
  bm25?: number;
  cosine?: number;
  vector?: Float32Array;
};

/** Where a row lies in the version of the table that was asked. */
export type RowPlace = Pick<FoundRow, 'rowId'>;

/** A row to be written, with its vector when there is an embedder. */
export type WrittenRow = MemoryRow & { made?: { vector: Float32Array; embedder: string } };

/** A piece of a file as the table has it. */
export type FoundPiece = Omit<NearPiece, 'likeness'>;

/** One table of LanceDB. Filters are SQL that `whereClause` made. */
export type LanceTable = Disposable & {
  readonly name: TableName;
  /** best first */
  searchWords(question: string, where: string | undefined, limit: number): Promise<FoundRow[]>;
  /** nearest first */
  searchVector(vector: Float32Array, where: string | undefined, limit: number): Promise<FoundRow[]>;
  /** pieces of files, nearest first, by a look at each row that the filter takes or at the index */
  nearPieces(
    vector: Float32Array,
    where: string,
    options: { limit: number; exact: boolean },
  ): Promise<FoundPiece[]>;
  /** BM25 of chosen rows; a row without a word of the question is not in it */
  scoreWords(question: string, rows: readonly RowPlace[]): Promise<Map<bigint, number>>;
  /** ids and times of rows of the arms */
  marks(rows: readonly RowPlace[]): Promise<Map<bigint, { id: string; ts: number }>>;
  /** what rows of the arms hold */
  records(rows: readonly RowPlace[]): Promise<Map<bigint, MemoryRow>>;
  /** in the order of the table */
  rows(where: string | undefined, page: { limit: number; offset: number }): Promise<MemoryRow[]>;
  /** id and time of all that match: little of each row is read */
  times(where: string | undefined): Promise<{ id: string; ts: number }[]>;
  /** the sources of all that match, '' for rows without one */
  sources(where: string | undefined): Promise<Set<string>>;
  countRows(where?: string): Promise<number>;
  /** Adds rows; one whose id is there takes its place. All or nothing. */
  write(rows: readonly WrittenRow[]): Promise<void>;
  /** Adds rows whose ids no row has. */
  append(rows: readonly WrittenRow[]): Promise<void>;
  remove(where: string): Promise<void>;
  /** Builds what a table with many new rows is searched by; does nothing for a few. */
  settle(nowMs: number): Promise<void>;
  /** @returns false when no threshold was reached */
  optimize(nowMs: number, force: boolean): Promise<boolean>;
  /**
   * Takes off the disk what rows that were removed have left: in fragments, indices and versions.
   * The rest is written anew. Who reads an older version meanwhile has to begin again.
   *
   * @param options.isAlone nobody else writes to the table: what a killed writer left goes, too
   */
  wipe(options: { isAlone: boolean }): Promise<void>;
  /** bytes without old versions and indices */
  size(): Promise<{ fragments: number; bytes: number }>;
  /** From now on the newest version is looked at, and it alone until the next call. */
  refresh(): Promise<void>;
};

const searchTimeoutMs = 10_000;
// rows outside the index are searched too, only slower, so this is about size and speed alone
const maxUnindexedRows = 512;
const maxUnindexedShare = 0.1;
const maxFragments = 16;
/** An index of words of so many rows is made anew in 0.1 s; merging leaves 2 MB of memory behind. */
const maxRemadeRows = 5_000;
// long enough for any search that has an old version open
const keepVersionsMs = 10 * 60_000;
/** Versions that are made meanwhile are older, by the clock of the machine that LanceDB looks at. */
const aheadMs = 60 * 60_000;
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
  const schema = () => lanceSchema(loadArrow(), name.dimensions);
  const table = options.make
    ? await openOrMake(connection, name.table, schema())
    : await connection.openTable(name.table);
  const indexWords = async (replace: boolean): Promise<void> => {
    const config = Index.fts({ stem: true, removeStopWords: true, withPosition: false });
    await table.createIndex('context', { config, replace });
  };
  // asked for each time: a process may have died between the table and its index
  if (options.make && (await table.listIndices()).length === 0) await indexWords(false);
  const arrowRows = (rows: readonly WrittenRow[]) =>
    makeArrowTable(
      rows.map(({ id, record, made }) => toLanceRow(id, record, made)),
      { schema: schema() },
    );
  /** Whether the index of words lacks too many rows, and whether making it anew costs less than merging. */
  const wordsIndex = async (): Promise<{ isDue: boolean; isRemade: boolean }> => {
    const stats = await table.indexStats('context_idx');
    const rows = await table.countRows();
    const unindexedRows = stats?.numUnindexedRows ?? maxUnindexedRows;
    // A share of the table, too: each time costs as much as the table is large.
    const isDue = unindexedRows >= Math.max(maxUnindexedRows, maxUnindexedShare * rows);
    // Most of it new: made from nothing it takes half the time of merging, and half the memory.
    return { isDue, isRemade: unindexedRows > rows / 2 || rows <= maxRemadeRows };
  };
  /** Merges fragments and indices, and takes away versions that nobody looks at any more. */
  const merge = (nowMs: number) =>
    table.optimize({ cleanupOlderThan: new Date(nowMs - keepVersionsMs) });
  const buildVectorIndex = async (): Promise<void> => {
    const vectors = await table.countRows('vector IS NOT NULL');
    const present = (await table.listIndices()).map(({ indexType }) => indexType);
    for (const { column, type, config } of planIndices(layer, vectors, name.dimensions)(Index)) {
      if (!present.includes(type)) await table.createIndex(column, { config, replace: true });
    }
    vectorIndex.forget();
  };
  const vectorIndex = rememberFor(indexAgeMs, () => vectorIndexOf(table));
  const askRounded = async (query: VectorQuery): Promise<void> => {
    if ((await vectorIndex.get()) !== roundedIndex) return;
    query.nprobes(roundedSearch.probes).refineFactor(roundedSearch.refineFactor);
  };
  const take = (rows: readonly RowPlace[], selected: string[]) =>
    table
      .takeRowIds(rows.map(({ rowId }) => rowId))
      .select(selected)
      .withRowId();
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
      const hasVectors = name.embedder !== '';
      // each column of a row costs a read of its own, and most rows are never shown
      const query = wordQuery(question, hasVectors ? ['vector'] : [], limit);
      if (where !== undefined) query.where(where);
      const rows = await query.withRowId().toArrow({ timeoutMs: searchTimeoutMs });
      const scores = rows.getChild('_score');
      const vectors = rows.getChild('vector');
      return foundRows(rows, (at) => {
        const vector: Vector<Float32> | null = vectors?.get(at);
        const bm25 = Number(scores?.get(at));
        return vector == null ? { bm25 } : { bm25, vector: vector.toArray() as Float32Array };
      });
    },
    searchVector: async (vector, where, limit) => {
      const query = table
        .query()
        .nearestTo(vector as IntoVector)
        .column('vector')
        .distanceType('cosine')
        .select(['_distance'])
        .limit(limit);
      await askRounded(query);
      if (where !== undefined) query.where(where);
      const rows = await query.withRowId().toArrow({ timeoutMs: searchTimeoutMs });
      const distances = rows.getChild('_distance');
      return foundRows(rows, (at) => ({ cosine: 1 - Number(distances?.get(at)) }));
    },
    nearPieces: async (vector, where, { limit, exact }) => {
      const query = table
        .query()
        .nearestTo(vector as IntoVector)
        .column('vector')
        .distanceType('cosine')
        .select(['source', 'text', 'tags', '_distance'])
        .where(where)
        .limit(limit);
      if (exact) query.bypassVectorIndex();
      else await askRounded(query);
      const rows: PieceRow[] = await query.toArray({ timeoutMs: searchTimeoutMs });
      return rows.flatMap(toPiece);
    },
    scoreWords: async (question, rows) => {
      const query = wordQuery(question, [], rows.length);
      // numbers that the table itself gave
      query.where(`_rowid IN (${rows.map(({ rowId }) => rowId).join(', ')})`);
      const scored = await query.withRowId().toArrow({ timeoutMs: searchTimeoutMs });
      const scores = scored.getChild('_score');
      return new Map(rowIdsOf(scored).map((rowId, at) => [rowId, Number(scores?.get(at))]));
    },
    marks: async (rows) => {
      const read = await take(rows, ['id', 'ts']).toArrow({ timeoutMs: searchTimeoutMs });
      const [ids, times] = [read.getChild('id'), read.getChild('ts')];
      const mark = (at: number) => ({ id: String(ids?.get(at)), ts: Number(times?.get(at)) });
      return new Map(rowIdsOf(read).map((rowId, at) => [rowId, mark(at)]));
    },
    records: async (rows) => {
      const query = take(rows, columns);
      const read: (LanceRow & { _rowid: bigint })[] = await query.toArray({
        timeoutMs: searchTimeoutMs,
      });
      return new Map(read.map((row) => [BigInt(row._rowid), toRow(layer, row)]));
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
    sources: async (where) => {
      const query = table.query().select(['source']);
      if (where !== undefined) query.where(where);
      const column = (await query.toArrow()).getChild('source');
      return new Set(Array.from(column ?? [], (value) => String(value ?? '')));
    },
    countRows: (where) => table.countRows(where),
    write: async (rows) => {
      await table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(arrowRows(rows));
    },
    append: async (rows) => {
      await table.add(arrowRows(rows));
    },
    remove: async (where) => {
      await table.delete(where);
    },
    settle: async (nowMs) => {
      const { isDue, isRemade } = await wordsIndex();
      if (!isDue) return;
      await (isRemade ? indexWords(true) : merge(nowMs));
      await buildVectorIndex();
    },
    optimize: async (nowMs, force) => {
      const { fragmentStats } = await table.stats();
      const { isDue, isRemade } = await wordsIndex();
      if (!isDue && !force && fragmentStats.numFragments < maxFragments) return false;
      // fragments wait for the next time then: merged at once they would be read twice
      await (isDue && isRemade && !force ? indexWords(true) : merge(nowMs));
      await buildVectorIndex();
      return true;
    },
    wipe: async ({ isAlone }) => {
      const [first]: { id: string }[] = await table.query().select(['id']).limit(1).toArray();
      if (first !== undefined) {
        // A fragment that lacks few rows is left as it is, unless it has a neighbour to merge with.
        const where = whereClause({ ids: [first.id] });
        await table.update({
          valuesSql: { kind: 'kind' },
          ...(where === undefined ? {} : { where }),
        });
      }
      const cleanupOlderThan = new Date(Date.now() + aheadMs);
      await table.optimize({ cleanupOlderThan });
      // merging keeps words that no row has any more
      await indexWords(true);
      await buildVectorIndex();
      await table.optimize({ cleanupOlderThan, deleteUnverified: isAlone });
    },
    size: async () => {
      const { fragmentStats, totalBytes } = await table.stats();
      return { fragments: fragmentStats.numFragments, bytes: totalBytes };
    },
    refresh: () => table.checkoutLatest(),
    [Symbol.dispose]: () => table.close(),
  };
}

/**
 * The table of that name, made where there is none. One that was made before ids were a key to
 * LanceDB has the same columns and is used as it is: the write lock alone keeps its ids apart.
 */
async function openOrMake(connection: Connection, name: string, schema: Schema): Promise<Table> {
  try {
    return await connection.createEmptyTable(name, schema, { existOk: true });
  } catch (thrown) {
    const table = await connection.openTable(name).catch(() => undefined);
    if (table === undefined) throw thrown;
    if (columnsOf(await table.schema()) === columnsOf(schema)) return table;
    table.close();
    throw thrown;
  }
}

function columnsOf(schema: Schema): string {
  return schema.fields.map(({ name, type }) => `${name} ${String(type)}`).join();
}

type PieceRow = { source: string | null; text: string; tags: Iterable<string>; _distance: number };

function toPiece({ source, text, tags, _distance }: PieceRow): FoundPiece[] {
  const [, start, end] =
    [...tags].map((tag) => /^lines:(\d+)-(\d+)$/.exec(tag)).find(Boolean) ?? [];
  if (source === null || start === undefined || end === undefined) return [];
  const cosine = 1 - _distance;
  return [{ source, text, startLine: Number(start), endLine: Number(end), cosine }];
}

/** Column by column: rows as objects cost several times as much. */
function foundRows(
  rows: ArrowTable,
  scoresAt: (at: number) => Omit<FoundRow, 'rowId'>,
): FoundRow[] {
  return rowIdsOf(rows).map((rowId, at) => ({ rowId, ...scoresAt(at) }));
}

function rowIdsOf(rows: ArrowTable): bigint[] {
  const rowIds = rows.getChild('_rowid');
  return Array.from({ length: rows.numRows }, (_, at) => BigInt(rowIds?.get(at)));
}

function toRow(layer: MemoryLayer, row: LanceRow): MemoryRow {
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
