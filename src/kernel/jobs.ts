import type { JobCommands } from '../contracts/jobs.ts';
import type { FlushableMemory } from '../contracts/memory.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { decayScores } from '../memory/layers.ts';
import type { StoreWithJournal } from '../store/open-store.ts';
import { dropKept } from './changes/prune.ts';
import { snapshotMetrics } from './snapshot-metrics.ts';
import { vacuumOrphans } from './vacuum-orphans.ts';

/** The scheduler's access to the store and to memory. */
export function createJobCommands(ports: {
  home: string;
  store(): Promise<StoreWithJournal>;
  isStoreOpen(): boolean;
  memory(): Promise<FlushableMemory>;
  clock: Clock;
  /** how much of conversations with models is kept, and how long */
  talk: { bytes: number; days: number };
}): JobCommands {
  const { home, store, isStoreOpen, memory, clock, talk } = ports;
  return {
    book: async () => (await store()).jobs,
    isStoreOpen,
    nowMs: () => clock.nowMs(),
    pendingRows: async () => (await store()).memoryJournal.count(),
    decayScores: async (nowMs) => decayScores((await store()).memoryUses, nowMs),
    usedOften: async (minScore) => {
      const used = (await store()).memoryUses.all();
      return new Map(
        used
          .filter(({ layer, score }) => layer === 'interact' && score >= minScore)
          .map(({ id, uses }) => [id, uses]),
      );
    },
    timesUsed: async () =>
      new Map((await store()).memoryUses.all().map(({ id, uses }) => [id, uses])),
    worth: async () =>
      new Map((await store()).memoryUses.all().map(({ id, score }) => [id, score])),
    vacuumOrphans: async (options) => {
      const { memorySources, memoryUses } = await store();
      const parts = { memory: await memory(), sources: memorySources, uses: memoryUses };
      return await vacuumOrphans(parts, options);
    },
    snapshotMetrics: async (nowMs, options) => {
      const parts = { memory: await memory(), store: await store(), home };
      return await snapshotMetrics(parts, { nowMs, ...options });
    },
    pruneStore: async () => {
      const opened = await store();
      const pruned = opened.prune(clock.nowMs(), talk);
      if (pruned.outputs > 0) dropKept({ home }, opened, []);
      return pruned;
    },
  };
}
