import type { JobCommands } from '../contracts/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import type { StoreWithJournal } from '../store/open-store.ts';

/** What the scheduler needs of the store. */
export function createJobCommands(ports: {
  store(): Promise<StoreWithJournal>;
  isStoreOpen(): boolean;
  clock: Clock;
}): JobCommands {
  const { store, isStoreOpen, clock } = ports;
  return {
    book: async () => (await store()).jobs,
    isStoreOpen,
    nowMs: () => clock.nowMs(),
    pendingRows: async () => (await store()).memoryJournal.count(),
    pruneStore: async () => (await store()).prune(clock.nowMs()),
  };
}
