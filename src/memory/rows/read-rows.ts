import type { LayerCounts } from '../../contracts/memory.ts';
import {
  type MemoryFilter,
  type MemoryLayer,
  type MemoryRow,
  memoryLayers,
} from '../../contracts/memory.ts';
import type { FlushPorts } from '../flush-pending.ts';
import type { LanceTable } from '../tables/lance-table.ts';
import { matchesFilter, whereClause } from '../tables/where-clause.ts';

/** Ids that a filter names at once, so that its SQL stays short. */
export const idsAtOnce = 500;

/** Rows by what they are, not by what they are like: of the journal and of the tables. */
export type RowReader = {
  pendingRows(filter: MemoryFilter): ReturnType<FlushPorts['journal']['pending']>;
  /** @returns undefined where the layer has no table */
  readOne<T>(layer: MemoryLayer, work: (table: LanceTable) => Promise<T>): Promise<T | undefined>;
  /** newest first */
  list(filter: MemoryFilter, limit: number): Promise<MemoryRow[]>;
  /** oldest first */
  idsByTime(filter: MemoryFilter): Promise<string[]>;
  sourcesOf(filter: MemoryFilter): Promise<Set<string>>;
  /**
   * ids of all matching rows, in the journal or a table; a row that moves counts in its new layer
   */
  idsOf(filter: MemoryFilter): Promise<Map<MemoryLayer, Set<string>>>;
};

function layersOf({ layer }: MemoryFilter): readonly MemoryLayer[] {
  return layer === undefined ? memoryLayers : [layer];
}

export function createRowReader({
  journal,
  index,
}: Pick<FlushPorts, 'journal' | 'index'>): RowReader {
  const pendingRows = (filter: MemoryFilter) =>
    journal
      .pending({ limit: Number.MAX_SAFE_INTEGER, order: 'newest' })
      .filter((row) => matchesFilter(row, filter));
  const readOne = <T>(
    layer: MemoryLayer,
    work: (table: LanceTable) => Promise<T>,
  ): Promise<T | undefined> =>
    index.read([layer], async ([table]) => (table === undefined ? undefined : await work(table)));

  const list = async (filter: MemoryFilter, limit: number): Promise<MemoryRow[]> => {
    const where = whereClause(filter);
    const found = new Map<string, MemoryRow>();
    for (const { id, record } of pendingRows(filter)) found.set(id, { id, record });
    for (const layer of layersOf(filter)) {
      const rows = await readOne(layer, async (table) => {
        const times = await table.times(where);
        const newest = times.sort((one, other) => other.ts - one.ts).slice(0, limit);
        const read: MemoryRow[] = [];
        for (let at = 0; at < newest.length; at += idsAtOnce) {
          const ids = newest.slice(at, at + idsAtOnce).map(({ id }) => id);
          const page = { limit: ids.length, offset: 0 };
          read.push(...(await table.rows(whereClause({ ids }), page)));
        }
        return read;
      });
      for (const row of rows ?? []) if (!found.has(row.id)) found.set(row.id, row);
    }
    return [...found.values()]
      .sort((one, other) => other.record.ts - one.record.ts || (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  };

  const idsOf = async (filter: MemoryFilter): Promise<Map<MemoryLayer, Set<string>>> => {
    const where = whereClause(filter);
    const pending = pendingRows(filter);
    const ids = new Map<MemoryLayer, Set<string>>();
    const layerOf = new Map(pending.map(({ id, record }) => [id, record.layer]));
    for (const layer of layersOf(filter)) {
      const rows = (await readOne(layer, (table) => table.times(where))) ?? [];
      const there = rows.filter(({ id }) => (layerOf.get(id) ?? layer) === layer);
      const waiting = pending.filter(({ record }) => record.layer === layer);
      ids.set(layer, new Set([...there, ...waiting].map(({ id }) => id)));
    }
    return ids;
  };

  const idsByTime = async (filter: MemoryFilter): Promise<string[]> => {
    const times = new Map<string, number>();
    for (const { id, record } of pendingRows(filter)) times.set(id, Math.round(record.ts));
    for (const layer of layersOf(filter)) {
      const rows = await readOne(layer, (table) => table.times(whereClause(filter)));
      for (const { id, ts } of rows ?? []) if (!times.has(id)) times.set(id, ts);
    }
    return [...times].sort(([, one], [, other]) => one - other).map(([id]) => id);
  };

  const sourcesOf = async (filter: MemoryFilter): Promise<Set<string>> => {
    const names = new Set(pendingRows(filter).map(({ record }) => record.source ?? ''));
    for (const layer of layersOf(filter)) {
      const found = await readOne(layer, (table) => table.sources(whereClause(filter)));
      for (const name of found ?? []) names.add(name);
    }
    names.delete('');
    return names;
  };

  return { pendingRows, readOne, list, idsByTime, sourcesOf, idsOf };
}

export function countsOf(ids: ReadonlyMap<MemoryLayer, ReadonlySet<string>>): LayerCounts {
  const count = (layer: MemoryLayer) => ids.get(layer)?.size ?? 0;
  return { interact: count('interact'), insights: count('insights'), assets: count('assets') };
}
