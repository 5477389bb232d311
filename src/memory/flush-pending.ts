import { KernelError } from '../contracts/error.ts';
import {
  type MemoryEmbedder,
  type MemoryLayer,
  type MemoryRow,
  memoryLayers,
} from '../contracts/memory.ts';
import type { MemoryJournal, PendingRecord } from '../contracts/memory-store.ts';
import { isKept } from './layers.ts';
import type { LanceIndex } from './tables/lance-index.ts';
import type { WrittenRow } from './tables/lance-table.ts';
import { addWipeMark, type WipeMark } from './tables/table-place.ts';
import { whereClause } from './tables/where-clause.ts';
import { vectorText } from './texts.ts';

const batchRows = 1_000;

export type FlushPorts = {
  /** of memory, which keeps the marks of what is to be wiped */
  directory: string;
  journal: MemoryJournal;
  index: LanceIndex;
  /** undefined: rows are written without vectors */
  embedder(): Promise<MemoryEmbedder | undefined>;
  clock: { nowMs(): number };
};

/**
 * Moves pending rows into the index, in batches, oldest first, and makes their vectors. A row
 * leaves the journal only after the index has it. A process that dies in between leaves it in both;
 * its id makes the repeat harmless. Call it as the holder of the write lock.
 *
 * @returns how many rows moved
 * @throws the error of a layer that could not be written, after all others are written
 */
export async function flushPending(
  ports: FlushPorts,
  options: { signal: AbortSignal; onBatch?: (moved: number) => void },
): Promise<number> {
  const { journal, index, clock } = ports;
  const touched = new Set<MemoryLayer>();
  // Rows of a layer that cannot be written stay in the journal; other layers still move.
  const stuck = new Map<MemoryLayer, { rows: number; thrown: unknown }>();
  const stuckRows = () => stuck.values().reduce((sum, { rows }) => sum + rows, 0);
  let moved = 0;
  for (;;) {
    if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
    const limit = batchRows + stuckRows();
    const page = journal.pending({ limit, order: 'oldest' });
    const embedder = await ports.embedder();
    for (const [layer, batch] of byLayer(page)) {
      const known = stuck.get(layer);
      if (known !== undefined) {
        known.rows = batch.length;
        continue;
      }
      const made = await withVectors(batch, embedder, options.signal);
      try {
        const replaced = await index.write(layer, embedder, (table) => table.write(made));
        if (replaced > 0) addWipeMark(ports.directory, layer, 'removed');
      } catch (thrown) {
        if (options.signal.aborted) throw thrown;
        stuck.set(layer, { rows: batch.length, thrown });
        continue;
      }
      await leaveOthers(ports, layer, batch);
      journal.remove(batch.map(({ seq }) => seq));
      touched.add(layer);
      moved += batch.length;
      options.onBatch?.(moved);
    }
    // A page that was not full was the last: rows that came meanwhile wait for the next flush,
    // since a write costs the same for one row as for many.
    if (page.length < limit) break;
  }
  for (const layer of touched) {
    await index.change(layer, (table) => table.optimize(clock.nowMs(), false));
  }
  for (const { thrown } of stuck.values()) throw thrown;
  return moved;
}

/** The rows with their vectors, made in one go. */
export async function withVectors(
  rows: readonly Omit<WrittenRow, 'made'>[],
  embedder: MemoryEmbedder | undefined,
  signal: AbortSignal,
): Promise<WrittenRow[]> {
  if (embedder === undefined) return rows.map(({ id, record }) => ({ id, record }));
  const texts = rows.map(({ record }) => vectorText(record));
  const vectors = await embedder.embed(texts, { signal });
  return rows.map(({ id, record }, at) => {
    const vector = vectors[at];
    if (vector?.length !== embedder.dimensions) {
      throw new KernelError(
        'tool-failed',
        `the embedder ${embedder.name} returned ${vector?.length ?? 'no'} dimensions for text ${at + 1} of ${texts.length}, not ${embedder.dimensions}`,
      );
    }
    return { id, record, made: { vector, embedder: embedder.name } };
  });
}

export function byLayer(rows: readonly PendingRecord[]): Map<MemoryLayer, PendingRecord[]> {
  return Map.groupBy(rows, ({ record }) => record.layer);
}

/** Removes facts that moved from their old layers, so that each is one row. */
export async function leaveOthers(
  { index, directory }: Pick<FlushPorts, 'index' | 'directory'>,
  layer: MemoryLayer,
  batch: readonly PendingRecord[],
  mark: WipeMark = 'removed',
): Promise<void> {
  const moved = batch.filter(({ record }) => isKept(record) && record.why !== undefined);
  if (moved.length === 0) return;
  const where = whereClause({ ids: moved.map(({ id }) => id) }) ?? 'false';
  for (const other of memoryLayers) {
    if (other === layer) continue;
    await index.change(other, async (table) => {
      if ((await table.countRows(where)) === 0) return;
      addWipeMark(directory, other, mark);
      await table.remove(where);
    });
  }
}

/**
 * Writes rows of `assets` to their table. Vectors are made before the write lock is taken: with a
 * sentence model they take longer than others would wait for it.
 *
 * @param options.claim called under the lock; returns the sources that have no row in the table yet
 */
export async function ingestRows(
  ports: Pick<FlushPorts, 'directory' | 'index' | 'embedder'> & {
    locked<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  },
  rows: readonly MemoryRow[],
  { signal, claim }: { signal: AbortSignal; claim(): ReadonlySet<string> },
): Promise<void> {
  const embedder = await ports.embedder();
  const made = await withVectors(rows, embedder, signal);
  await ports.locked(signal, async () => {
    await ports.index.write('assets', embedder, async (table) => {
      const fresh = claim();
      const isNew = ({ record }: MemoryRow) => fresh.has(record.source ?? '');
      const [added, known] = [made.filter(isNew), made.filter((row) => !isNew(row))];
      if (added.length > 0) await table.append(added);
      if (known.length === 0 || (await table.write(known)) === 0) return;
      addWipeMark(ports.directory, 'assets', 'removed');
    });
  });
}
