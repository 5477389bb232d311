import type { MemoryRow } from '../contracts/memory.ts';
import { type FlushPorts, withVectors } from './flush-pending.ts';
import { addWipeMark } from './tables/wipe-marks.ts';

/**
 * Writes rows of `assets` to their table. Vectors are made before the write lock is taken: with a
 * sentence model they take longer than others would wait for it.
 *
 * @param options.claim asked under the lock; the sources of which no row is in the table
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
