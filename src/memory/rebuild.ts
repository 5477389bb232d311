import { KernelError, reasonOf } from '../contracts/error.ts';
import { type MemoryLayer, memoryLayers } from '../contracts/memory.ts';
import { type FlushPorts, flushPending } from './flush-pending.ts';
import type { LanceIndex } from './tables/lance-index.ts';
import { whereClause } from './tables/where-clause.ts';

const pageRows = 500;

export type RebuildOptions = {
  signal: AbortSignal;
  onProgress?: (progress: { done: number; of: number }) => void;
};

/**
 * Makes the tables of this machine anew from the book. Rows that only a table has are first copied
 * to the book, as far as they can be read, unless they were forgotten. Once a table is dropped its
 * rows wait in the journal, so that an interruption loses none and searches find them. Only the
 * holder of the write lock may.
 *
 * @returns rows that were written, and layers whose tables could not be read
 */
export async function rebuildTables(
  ports: FlushPorts,
  options: RebuildOptions,
): Promise<{ rows: number; unread: string[] }> {
  const { index, journal } = ports;
  const { signal, onProgress } = options;
  const own = memoryLayers.filter((layer) => !index.isShared(layer));
  const unread: string[] = [];
  for (const layer of own) {
    try {
      await adoptRows(ports, layer, signal);
    } catch (thrown) {
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      unread.push(`${layer}: ${reasonOf(thrown)}`);
    }
  }
  for (const layer of own) {
    // Before the table goes, so that searches find the rows at every moment.
    journal.book.requeue(layer);
    await index.drop(layer);
  }
  const of = journal.count();
  const rows = await flushPending(ports, {
    signal,
    onBatch: (done) => onProgress?.({ done, of }),
  });
  return { rows, unread };
}

/**
 * Copies rows that only the table has into the book. Pieces of files are left out: files are read
 * again.
 *
 * @returns how many
 */
export async function adoptRows(
  { index, journal }: Pick<FlushPorts, 'index' | 'journal'>,
  layer: MemoryLayer,
  signal: AbortSignal,
): Promise<number> {
  if (layer === 'assets' || index.isShared(layer)) return 0;
  const adopted = await index.read([layer], async ([table]) => {
    if (table === undefined) return 0;
    const ids = (await table.times(undefined)).map(({ id }) => id);
    const known = journal.book.has(ids);
    const missing = ids.filter((id) => !known.has(id));
    let taken = 0;
    for (let at = 0; at < missing.length; at += pageRows) {
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      const page = missing.slice(at, at + pageRows);
      const where = whereClause({ ids: page });
      taken += journal.book.adopt(await table.rows(where, { limit: page.length, offset: 0 }));
    }
    return taken;
  });
  return adopted;
}

/** Finds faults of this machine's tables: it reads all that a search would read. */
export async function checkTables(
  index: LanceIndex,
  layers: readonly MemoryLayer[],
  isLost: (layer: MemoryLayer) => boolean,
): Promise<{ layer: MemoryLayer; problem: string }[]> {
  const found: { layer: MemoryLayer; problem: string }[] = [];
  for (const layer of layers) {
    try {
      const isThere = await index.read([layer], async ([table]) => {
        if (table === undefined) return false;
        const ids = await table.times(undefined);
        await table.rows(undefined, { limit: Math.max(1, ids.length), offset: 0 });
        await table.searchWords('cuervo', undefined, 1);
        if (table.name.embedder !== '') {
          await table.searchVector(new Float32Array(table.name.dimensions).fill(0.1), undefined, 1);
        }
        return true;
      });
      if (!isThere && isLost(layer)) found.push({ layer, problem: 'its table is gone' });
    } catch (thrown) {
      found.push({ layer, problem: reasonOf(thrown) });
    }
  }
  return found;
}
