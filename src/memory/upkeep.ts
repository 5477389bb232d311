import { KernelError } from '../contracts/error.ts';
import {
  type LayerCounts,
  type LayerStats,
  type MemoryFilter,
  type MemoryLayer,
  type MemoryUpkeep,
  memoryLayers,
} from '../contracts/memory.ts';
import { byLayer, type FlushPorts, flushPending, leaveOthers } from './flush-pending.ts';
import { layerPolicies, type Retention } from './layers.ts';
import { adoptRows, rebuildTables, reembed } from './rebuild.ts';
import {
  countsOf,
  createRowReader,
  demoted,
  idsAtOnce,
  layerStats,
  promoted,
  surplusRows,
} from './rows.ts';
import { addWipeMark, dropWipeMark, readWipeMarks, type WipeMark } from './tables/table-place.ts';
import { whereClause } from './tables/where-clause.ts';

export type UpkeepPorts = FlushPorts & {
  retention: Retention;
  /** as the one writer among all processes */
  locked<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** waited for at the end */
  atWork<T>(work: () => Promise<T>): Promise<T>;
};

const dayMs = 24 * 3_600_000;

/** Everything about memory that is neither remembering nor searching. */
export function createUpkeep(ports: UpkeepPorts): MemoryUpkeep {
  const { journal, index, locked, atWork } = ports;
  const reader = createRowReader(ports);
  const { pendingRows, list, idsByTime, idsOf, sourcesOf } = reader;

  /**
   * Call it as the writer. It marks the rows in the book first: after an interruption, rows that a
   * table still has are known to be forgotten. Then it removes them from the tables and the
   * journal, so that no waiting row moves to a table again.
   */
  const remove = async (filter: MemoryFilter, mark: WipeMark): Promise<LayerCounts> => {
    const found = await idsOf(filter);
    const removed = countsOf(found);
    journal.book.forget(toForget(found));
    // A filter without conditions on columns names a layer only: the whole table is emptied.
    const where = whereClause(filter) ?? 'true';
    const marked = readWipeMarks(ports.directory);
    for (const layer of memoryLayers) {
      // a table may keep an older state of the row, or one that moved to another layer
      const isStale = mark === 'forgotten' && marked?.has(layer) === true;
      if (removed[layer] > 0 || isStale) addWipeMark(ports.directory, layer, mark);
      if (removed[layer] === 0) continue;
      await index.change(layer, (table) => table.remove(where));
    }
    const waiting = pendingRows(filter);
    for (const [layer, batch] of byLayer(waiting)) await leaveOthers(ports, layer, batch, mark);
    journal.remove(waiting.map(({ seq }) => seq));
    return removed;
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
    count: (filter) => atWork(async () => countsOf(await idsOf(filter))),
    sources: (filter) => atWork(() => sourcesOf(filter)),
    isEmpty: async (layer) =>
      !index.isShared(layer) &&
      (await index.tables([layer])).length === 0 &&
      pendingRows({ layer }).length === 0,
    forget: async (filter, { signal, wipe = false }) => {
      if (Object.values(filter).every((value) => value === undefined)) {
        throw new KernelError('invalid-argument', 'no filter says what memory should forget');
      }
      return await locked(signal, () => remove(filter, wipe ? 'forgotten' : 'removed'));
    },
    prune: (nowMs, { signal, worth = new Map() }) =>
      locked(signal, async () => {
        const removed: Record<MemoryLayer, number> = { interact: 0, insights: 0, assets: 0 };
        const { turnDays, turnRows } = ports.retention;
        for (const layer of memoryLayers) {
          const maxRows = layer === 'interact' ? turnRows : layerPolicies[layer].maxRows;
          const maxAgeMs =
            layer === 'interact' && turnDays !== undefined ? turnDays * dayMs : undefined;
          const beforeMs = maxAgeMs === undefined ? undefined : nowMs - maxAgeMs;
          const surplus = await surplusRows(layer, { maxRows, beforeMs, worth }, reader);
          for (let at = 0; at < surplus.length; at += idsAtOnce) {
            const ids = surplus.slice(at, at + idsAtOnce);
            removed[layer] += (await remove({ layer, ids }, 'removed'))[layer];
          }
        }
        return removed;
      }),
    promote: (chosen, { signal }) =>
      atWork(async () => {
        const made = await promoted(chosen, reader, { isShared: index.isShared });
        if (signal.aborted) return [];
        if (made.length > 0) journal.append(made);
        return made.map(({ id, from }) => ({ id, from }));
      }),
    demote: (ids, { signal }) =>
      locked(signal, async () => {
        const rows = await demoted(ids, reader);
        const copies = rows.filter(({ copy }) => copy !== undefined).map(({ id }) => id);
        if (copies.length > 0) await remove({ ids: copies, layer: 'insights' }, 'removed');
        journal.append(rows.flatMap(({ back }) => back));
        await flushPending(ports, { signal });
        return rows.map(({ id }) => id);
      }),
    optimize: (nowMs, { signal, force = false }) =>
      locked(signal, async () => {
        for (const layer of memoryLayers) await adoptRows(ports, layer, signal);
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
    rebuild: (options) => locked(options.signal, async () => await rebuildTables(ports, options)),
    reembed: (options) => locked(options.signal, () => reembedAll(options)),
    stats: () =>
      atWork(async () => {
        const stats: LayerStats[] = [];
        for (const layer of memoryLayers)
          stats.push(await layerStats(layer, { directory: ports.directory, index, reader }));
        return stats;
      }),
  };

  /** Ids whose rows must not come back; pieces of files are read again when they are added. */
  function toForget(found: ReadonlyMap<MemoryLayer, ReadonlySet<string>>): string[] {
    const pieces = [...(found.get('assets') ?? [])];
    const said = [...(found.get('interact') ?? []), ...(found.get('insights') ?? [])];
    return [...said, ...journal.book.has(pieces)];
  }

  /** Bytes that a sweep left stay until a person asks: rewriting a large table takes minutes. */
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
      throw new KernelError('unavailable', 'there is no embedder to compute vectors');
    }
    const made = await reembed(index, embedder, options);
    if (made > 0) {
      for (const { layer } of await index.tables()) addWipeMark(ports.directory, layer, 'removed');
    }
    // what waited for a table of this embedder
    return made + (await flushPending(ports, options));
  }
}
