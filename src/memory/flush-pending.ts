import { KernelError } from '../contracts/error.ts';
import type { MemoryJournal } from '../contracts/memory-journal.ts';
import type { LanceIndex } from './lance-index.ts';

const batchRows = 1_000;

/**
 * Moves pending rows into the index, in batches, oldest first. A row leaves the journal when the
 * index has it and not before; a process that dies in between leaves a row in both, and ids make
 * the repeat harmless.
 *
 * @returns how many rows moved; undefined when another process is at it
 */
export async function flushPending(
  ports: { journal: MemoryJournal; index: LanceIndex; clock: { nowMs(): number } },
  options: { signal: AbortSignal },
): Promise<number | undefined> {
  const { journal, index, clock } = ports;
  if (journal.count() === 0) return 0;
  using lock = journal.tryLock();
  if (lock === undefined) return undefined;
  let moved = 0;
  for (;;) {
    if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
    const rows = journal.pending({ limit: batchRows, order: 'oldest' });
    if (rows.length === 0) break;
    await index.write(rows);
    journal.remove(rows.map(({ seq }) => seq));
    moved += rows.length;
  }
  await index.optimizeIfDue(clock.nowMs());
  return moved;
}
