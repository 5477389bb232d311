import { join } from 'node:path';
import type { JobCommands, Metrics } from '../contracts/jobs.ts';
import type { FlushableMemory, MemoryUpkeep } from '../contracts/memory.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { decayScores } from '../memory/layers.ts';
import { vacuumOrphans } from '../memory/vacuum-orphans.ts';
import type { StoreWithJournal } from '../store/open-store.ts';
import { dropKept } from './changes/prune.ts';

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

const hourMs = 3_600_000;

/**
 * Notes what the home holds and what was done in the last hour, in the store and, for whoever
 * watches from outside, in `metrics.json`.
 */
async function snapshotMetrics(
  ports: { memory: Pick<MemoryUpkeep, 'stats'>; store: StoreWithJournal; home: string },
  options: { nowMs: number; jobs: readonly string[]; signal: AbortSignal },
): Promise<Metrics> {
  const { store, home } = ports;
  const { nowMs, jobs, signal } = options;
  const layers = await ports.memory.stats({ signal });
  const rowsOf = (wanted: string) => layers.find(({ layer }) => layer === wanted)?.rows ?? 0;
  const records = store.jobs.records(jobs, nowMs);
  const metrics: Metrics = {
    ts: nowMs,
    memory: {
      interact: rowsOf('interact'),
      insights: rowsOf('insights'),
      assets: rowsOf('assets'),
      pending: store.memoryJournal.count(),
      bytes: layers.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    runs: store.metrics.runsSince(nowMs - hourMs),
    failingJobs: records.filter(({ failures }) => failures > 0).map(({ name }) => name),
    storeBytes: store.metrics.pages(),
  };
  store.metrics.add(metrics);
  writeFileWhole(join(home, 'metrics.json'), `${JSON.stringify(metrics)}\n`, { flush: false });
  return metrics;
}
