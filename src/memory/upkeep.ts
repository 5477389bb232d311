import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import {
  type LayerCounts,
  type LayerStats,
  type MemoryFilter,
  type MemoryLayer,
  type MemoryRow,
  type MemoryUpkeep,
  memoryLayers,
} from '../contracts/memory.ts';
import { type FlushPorts, flushPending } from './flush-pending.ts';
import type { LanceTable } from './lance-table.ts';
import { layerPolicies } from './layers.ts';
import { memoryId } from './memory-id.ts';
import { reembed } from './reembed.ts';
import { matchesFilter, whereClause } from './where-clause.ts';
import { addWipeMark, dropWipeMark, readWipeMarks, type WipeMark } from './wipe-marks.ts';

export type UpkeepPorts = FlushPorts & {
  directory: string;
  /** as the one writer among all processes */
  locked<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** waited for at the end */
  atWork<T>(work: () => Promise<T>): Promise<T>;
};

/** What a filter can name at once, so that its SQL stays short. */
const idsAtOnce = 500;

/** Everything about memory that is neither remembering nor searching. */
export function createUpkeep(ports: UpkeepPorts): MemoryUpkeep {
  const { journal, index, locked, atWork } = ports;
  const pendingRows = (filter: MemoryFilter) =>
    journal
      .pending({ limit: Number.MAX_SAFE_INTEGER, order: 'newest' })
      .filter((row) => matchesFilter(row, filter));
  const readOne = <T>(
    layer: MemoryLayer,
    work: (table: LanceTable) => Promise<T>,
  ): Promise<T | undefined> =>
    index.read([layer], async ([table]) => (table === undefined ? undefined : await work(table)));
  const layersOf = ({ layer }: MemoryFilter): readonly MemoryLayer[] =>
    layer === undefined ? memoryLayers : [layer];

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

  /** Ids of all rows that match, in the journal or a table, by layer. */
  const idsOf = async (filter: MemoryFilter): Promise<Map<MemoryLayer, Set<string>>> => {
    const where = whereClause(filter);
    const pending = pendingRows(filter);
    const ids = new Map<MemoryLayer, Set<string>>();
    for (const layer of layersOf(filter)) {
      const rows = (await readOne(layer, (table) => table.times(where))) ?? [];
      const waiting = pending.filter(({ record }) => record.layer === layer);
      ids.set(layer, new Set([...rows, ...waiting].map(({ id }) => id)));
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

  const counts = async (filter: MemoryFilter): Promise<LayerCounts> => {
    const ids = await idsOf(filter);
    const count = (layer: MemoryLayer) => ids.get(layer)?.size ?? 0;
    return { interact: count('interact'), insights: count('insights'), assets: count('assets') };
  };

  /** Only as the writer. The table first: what is in both places must not move over again. */
  const remove = async (filter: MemoryFilter, mark: WipeMark): Promise<LayerCounts> => {
    const removed = await counts(filter);
    // a filter without a condition on columns is one by layer: the table is emptied
    const where = whereClause(filter) ?? 'true';
    for (const layer of layersOf(filter)) {
      if (removed[layer] === 0) continue;
      addWipeMark(ports.directory, layer, mark);
      await index.change(layer, (table) => table.remove(where));
    }
    journal.remove(pendingRows(filter).map(({ seq }) => seq));
    return removed;
  };

  /** The rows of a layer beyond those that it keeps, the least useful and oldest. */
  const tooMany = async (
    layer: MemoryLayer,
    worth: ReadonlyMap<string, number>,
  ): Promise<string[]> => {
    const { maxRows } = layerPolicies[layer];
    if (maxRows === Number.POSITIVE_INFINITY) return [];
    const times = (await readOne(layer, (table) => table.times(undefined))) ?? [];
    const waiting = pendingRows({ layer }).length;
    const excess = times.length + waiting - maxRows;
    if (excess <= 0) return [];
    const worthOf = ({ id }: { id: string }) => worth.get(id) ?? 0;
    return times
      .sort((one, other) => worthOf(one) - worthOf(other) || one.ts - other.ts)
      .slice(0, excess)
      .map(({ id }) => id);
  };

  return {
    list: (filter, { limit }) => atWork(() => list(filter, limit)),
    rows: async function* (filter, { signal }) {
      const all = await atWork(() => idsByTime(filter));
      for (let at = 0; at < all.length; at += idsAtOnce) {
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        const ids = all.slice(at, at + idsAtOnce);
        yield* (await atWork(() => list({ ids }, ids.length))).reverse();
      }
    },
    count: (filter) => atWork(() => counts(filter)),
    sources: (filter) => atWork(() => sourcesOf(filter)),
    isEmpty: async (layer) =>
      !index.isShared(layer) &&
      (await index.tables([layer])).length === 0 &&
      pendingRows({ layer }).length === 0,
    forget: async (filter, { signal, wipe = false }) => {
      if (Object.values(filter).every((value) => value === undefined)) {
        throw new KernelError('invalid-argument', 'nothing says what memory is to forget');
      }
      return await locked(signal, () => remove(filter, wipe ? 'forgotten' : 'removed'));
    },
    prune: (nowMs, { signal, worth = new Map() }) =>
      locked(signal, async () => {
        const removed: Record<MemoryLayer, number> = { interact: 0, insights: 0, assets: 0 };
        for (const layer of memoryLayers) {
          const { maxAgeMs } = layerPolicies[layer];
          if (maxAgeMs !== Number.POSITIVE_INFINITY) {
            const old = await remove({ layer, beforeMs: nowMs - maxAgeMs }, 'removed');
            removed[layer] += old[layer];
          }
          const surplus = await tooMany(layer, worth);
          for (let at = 0; at < surplus.length; at += idsAtOnce) {
            const ids = surplus.slice(at, at + idsAtOnce);
            removed[layer] += (await remove({ layer, ids }, 'removed'))[layer];
          }
        }
        return removed;
      }),
    promote: async (chosen, { signal }) =>
      atWork(async () => {
        const reasons = new Map(chosen.map(({ id, reason }) => [id, reason]));
        const rows = await list({ layer: 'interact', ids: [...reasons.keys()] }, reasons.size);
        const copies = rows.map(({ id: from, record }) => {
          const because = `because:${reasons.get(from) ?? ''}`;
          const tags = [...new Set([...record.tags, 'promoted', because])];
          const copy = { ...record, layer: 'insights' as const, tags };
          return { id: memoryId(copy), from, record: copy };
        });
        const ids = copies.map(({ id }) => id);
        const known = new Set(
          (await list({ layer: 'insights', ids }, ids.length)).map(({ id }) => id),
        );
        const made = copies.filter(({ id }) => !known.has(id));
        if (signal.aborted) return [];
        if (made.length > 0) journal.append(made.map(({ id, record }) => ({ id, record })));
        return made.map(({ id, from }) => ({ id, from }));
      }),
    optimize: (nowMs, { signal, force = false }) =>
      locked(signal, async () => {
        await flushPending(ports, { signal });
        const worked: MemoryLayer[] = [];
        for (const { layer } of await index.tables()) {
          const isWorked = isToWipe(layer, force)
            ? await wipe(layer)
            : await index.change(layer, (table) => table.optimize(nowMs, force));
          if (isWorked) worked.push(layer);
        }
        return worked;
      }),
    reembed: (options) => locked(options.signal, () => reembedAll(options)),
    stats: () =>
      atWork(async () => {
        const stats: LayerStats[] = [];
        for (const layer of memoryLayers) stats.push(await statsOf(layer));
        return stats;
      }),
  };

  /** What sweeps left stays until somebody asks: a large table takes minutes to be written anew. */
  function isToWipe(layer: MemoryLayer, force: boolean): boolean {
    const marks = readWipeMarks(ports.directory);
    if (marks === undefined) return force;
    return force ? marks.has(layer) : marks.get(layer) === 'forgotten';
  }

  async function wipe(layer: MemoryLayer): Promise<true> {
    await index.change(layer, (table) => table.wipe({ isAlone: !index.isShared(layer) }));
    dropWipeMark(ports.directory, layer);
    return true;
  }

  async function reembedAll(options: Parameters<MemoryUpkeep['reembed']>[0]): Promise<number> {
    const embedder = await ports.embedder();
    if (embedder === undefined) {
      throw new KernelError('unavailable', 'there is no embedder that could make vectors');
    }
    const made = await reembed(index, embedder, options);
    // what waited for a table of this embedder
    return made + (await flushPending(ports, options));
  }

  async function statsOf(layer: MemoryLayer): Promise<LayerStats> {
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
