import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type LayerCounts,
  type LayerStats,
  type MemoryFilter,
  type MemoryLayer,
  type MemoryRow,
  memoryLayers,
} from '../contracts/memory.ts';
import type { FlushPorts } from './flush-pending.ts';
import { isKept, keptKinds } from './layers.ts';
import { memoryId } from './memory-record.ts';
import type { LanceTable } from './tables/lance-table.ts';
import { matchesFilter, whereClause } from './tables/where-clause.ts';

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

/** How much a layer holds, in its table and in the journal. */
export async function layerStats(
  layer: MemoryLayer,
  ports: { directory: string; index: FlushPorts['index']; reader: RowReader },
): Promise<LayerStats> {
  const { index, reader } = ports;
  const { pendingRows, readOne } = reader;
  const name = (await index.tables()).find((table) => table.layer === layer);
  const pending = pendingRows({ layer });
  const read = await readOne(layer, async (table) => ({
    times: await table.times(undefined),
    ...(await table.size()),
  }));
  const inTable = read?.times ?? [];
  const times = [...inTable.map(({ ts }) => ts), ...pending.map(({ record }) => record.ts)];
  const known = new Set(inTable.map(({ id }) => id));
  const waiting = pending.filter(({ id }) => !known.has(id)).length;
  const ends = times.reduce(
    ({ oldest, newest }, ts) => ({ oldest: Math.min(oldest, ts), newest: Math.max(newest, ts) }),
    { oldest: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY },
  );
  return {
    layer,
    rows: inTable.length + waiting,
    pending: pending.length,
    fragments: read?.fragments ?? 0,
    bytes:
      name === undefined || index.isShared(layer)
        ? (read?.bytes ?? 0)
        : await folderBytes(join(ports.directory, `${name.table}.lance`)),
    embedder: name?.embedder ?? '',
    dimensions: name?.dimensions ?? 0,
    ...(times.length === 0 ? {} : { oldestMs: ends.oldest, newestMs: ends.newest }),
  };
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // a file that a compaction has taken away meanwhile counts nothing
    if (entry.isFile()) bytes += await sizeOf(join(entry.parentPath, entry.name));
  }
  return bytes;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

type Chosen = { id: string; reason: string };
type Reader = Pick<RowReader, 'list'>;

/** The next layer of a fact; the last layer has none. */
const above: Readonly<Record<MemoryLayer, MemoryLayer | undefined>> = {
  interact: 'insights',
  insights: 'assets',
  assets: undefined,
};

/**
 * The rows that a promotion writes. A kept fact moves one layer up and stays one row; a turn is
 * copied, as turns stay whole. Rows that are there already, or that a person took back, are left
 * out.
 *
 * @param options.isShared whether other machines read a layer; only the team's rows move there
 */
export async function promoted(
  chosen: readonly Chosen[],
  { list }: Reader,
  options: { isShared(layer: MemoryLayer): boolean },
): Promise<(MemoryRow & { from: string })[]> {
  const reasons = new Map(chosen.map(({ id, reason }) => [id, reason]));
  const rows = await list({ ids: [...reasons.keys()] }, reasons.size);
  const made = rows.flatMap(({ id: from, record }) => {
    const layer = above[record.layer];
    const why = reasons.get(from) ?? '';
    if (layer === undefined || record.stays) return [];
    if (options.isShared(layer) && record.scope !== 'team' && isKept(record)) return [];
    if (!isKept(record) && record.layer !== 'interact') return [];
    const tags = [...new Set([...record.tags, 'promoted', `because:${why}`])];
    const next = { ...record, layer, tags, why };
    return [{ id: isKept(record) ? from : memoryId(next), from, record: next }];
  });
  const copies = made.filter(({ id, from }) => id !== from).map(({ id }) => id);
  const known = new Set(
    (await list({ layer: 'insights', ids: copies }, copies.length)).map(({ id }) => id),
  );
  return made.filter(({ id, from }) => id === from || !known.has(id));
}

/**
 * Rows that go back to where they were said: a fact moves, the copy of a turn goes. No job promotes
 * them again.
 *
 * @returns for each its id, and the rows to be written; `copy` where the row itself goes
 */
export async function demoted(
  ids: readonly string[],
  { list }: Reader,
): Promise<{ id: string; copy?: true; back: MemoryRow[] }[]> {
  const rows = await list({ ids }, ids.length);
  const made: { id: string; copy?: true; back: MemoryRow[] }[] = [];
  for (const { id, record } of rows) {
    if (record.layer === 'interact' || !record.tags.includes('promoted')) continue;
    const tags = record.tags.filter((tag) => tag !== 'promoted' && !tag.startsWith('because:'));
    const why = 'taken back by a person';
    const origin = { ...record, layer: 'interact' as const, tags, why, stays: true as const };
    if (isKept(record)) {
      made.push({ id, back: [{ id, record: origin }] });
      continue;
    }
    const turn = memoryId(origin);
    const [there] = await list({ ids: [turn] }, 1);
    const back =
      there === undefined ? [] : [{ ...there, record: { ...there.record, stays: true as const } }];
    made.push({ id, copy: true, back });
  }
  return made;
}

/**
 * Ids of the rows that a layer does not keep: rows older than a time, and above a number the least
 * useful and oldest. Facts that a person asked to keep are neither listed nor counted.
 */
export async function surplusRows(
  layer: MemoryLayer,
  keeps: { maxRows: number; beforeMs: number | undefined; worth: ReadonlyMap<string, number> },
  { readOne, pendingRows }: RowReader,
): Promise<string[]> {
  const { maxRows, beforeMs = Number.NEGATIVE_INFINITY, worth } = keeps;
  if (maxRows === Number.POSITIVE_INFINITY && beforeMs === Number.NEGATIVE_INFINITY) return [];
  const inTable = (await readOne(layer, (table) => table.times(undefined))) ?? [];
  const waiting = pendingRows({ layer }).filter(({ record }) => !isKept(record));
  const isOld = ({ ts }: { ts: number }) => ts < beforeMs;
  if (inTable.length + waiting.length <= maxRows && !inTable.some(isOld)) return [];
  const keptOnly = `${whereClause({ kinds: keptKinds })} AND source IS NULL`;
  const kept = await readOne(layer, (table) => table.times(keptOnly));
  const stays = new Set((kept ?? []).map(({ id }) => id));
  const loose = inTable.filter(({ id }) => !stays.has(id));
  const tooMany = loose.length - Math.max(0, maxRows - waiting.length);
  const worthOf = ({ id }: { id: string }) => worth.get(id) ?? 0;
  return loose
    .sort((one, other) => worthOf(one) - worthOf(other) || one.ts - other.ts)
    .filter((row, at) => at < tooMany || isOld(row))
    .map(({ id }) => id);
}
