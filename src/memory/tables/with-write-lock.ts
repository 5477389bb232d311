import { setTimeout as sleep } from 'node:timers/promises';
import { KernelError } from '../../contracts/error.ts';
import type { MemoryJournal } from '../../contracts/memory-store.ts';

const patienceMs = 30_000;
const pollMs = 20;

/**
 * Runs the work as the one writer among all processes.
 *
 * @throws {KernelError} `unavailable` when another writer does not end within 30 s
 */
export async function withWriteLock<T>(
  journal: Pick<MemoryJournal, 'tryLock'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    using lock = journal.tryLock();
    if (lock !== undefined) return await work();
    if (performance.now() > untilMs) {
      throw new KernelError('unavailable', 'another process keeps writing to memory', {
        hint: 'Try again when it has ended.',
      });
    }
    await sleep(pollMs);
  }
}
