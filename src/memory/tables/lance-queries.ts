import type { IntoVector, Table, VectorQuery } from '@lancedb/lancedb';
import type { Table as ArrowTable, Float32, Vector } from 'apache-arrow';
import type { MemoryLayer, MemoryRow } from '../../contracts/memory.ts';
import { isKept, layerPolicies } from '../layers.ts';
import { roundedIndex, roundedSearch } from './lance-indices.ts';
import { fromLanceRow, type LanceRow } from './lance-schema.ts';
import type { FoundPiece, FoundRow, LanceTable, RowPlace, TableName } from './lance-table.ts';

type LanceQueries = Pick<
  LanceTable,
  | 'searchWords'
  | 'searchVector'
  | 'nearPieces'
  | 'scoreWords'
  | 'marks'
  | 'records'
  | 'rows'
  | 'times'
  | 'sources'
>;

const searchTimeoutMs = 10_000;

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

/**
 * The queries of a table.
 *
 * @param vectorIndex the kind of its vector index, undefined without one
 */
export function createLanceQueries(
  table: Table,
  name: TableName,
  vectorIndex: () => Promise<string | undefined>,
): LanceQueries {
  // Read the time with the arms' rows: a read of its own takes five times as long.
  const timed = Number.isFinite(layerPolicies[name.layer].halfLifeMs) ? ['ts'] : [];
  const askRounded = async (query: VectorQuery): Promise<void> => {
    if ((await vectorIndex()) !== roundedIndex) return;
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
    searchWords: async (question, where, limit) => {
      const hasVectors = name.embedder !== '';
      // Each column costs a read, and most rows are never shown.
      const query = wordQuery(question, [...(hasVectors ? ['vector'] : []), ...timed], limit);
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
        .select(['_distance', ...timed])
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
      const read = await take(rows, ['id', 'ts', 'kind', 'source']).toArrow({
        timeoutMs: searchTimeoutMs,
      });
      const [ids, times] = [read.getChild('id'), read.getChild('ts')];
      const [kinds, sources] = [read.getChild('kind'), read.getChild('source')];
      const mark = (at: number) => {
        const source: unknown = sources?.get(at) || undefined;
        const from = source === undefined ? {} : { source: String(source) };
        const kept = isKept({ kind: String(kinds?.get(at)), ...from });
        return { id: String(ids?.get(at)), ts: Number(times?.get(at)), isKept: kept };
      };
      return new Map(rowIdsOf(read).map((rowId, at) => [rowId, mark(at)]));
    },
    records: async (rows) => {
      const query = take(rows, columns);
      const read: (LanceRow & { _rowid: bigint })[] = await query.toArray({
        timeoutMs: searchTimeoutMs,
      });
      return new Map(read.map((row) => [BigInt(row._rowid), toRow(name.layer, row)]));
    },
    rows: async (where, { limit, offset }) => {
      const query = table.query().select(columns).limit(limit).offset(offset);
      if (where !== undefined) query.where(where);
      const rows: LanceRow[] = await query.toArray();
      return rows.map((row) => toRow(name.layer, row));
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
  };
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
  const times = rows.getChild('ts');
  return rowIdsOf(rows).map((rowId, at) => ({
    rowId,
    ...(times === null ? {} : { ts: Number(times.get(at)) }),
    ...scoresAt(at),
  }));
}

function rowIdsOf(rows: ArrowTable): bigint[] {
  const rowIds = rows.getChild('_rowid');
  return Array.from({ length: rows.numRows }, (_, at) => BigInt(rowIds?.get(at)));
}

function toRow(layer: MemoryLayer, row: LanceRow): MemoryRow {
  return { id: row.id, record: fromLanceRow(layer, row) };
}
