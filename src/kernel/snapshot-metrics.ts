import { join } from 'node:path';
import type { MemoryUpkeep } from '../contracts/memory.ts';
import type { Metrics } from '../contracts/metrics.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import type { StoreWithJournal } from '../store/open-store.ts';

const hourMs = 3_600_000;

/**
 * Notes what the home holds and what was done in the last hour, in the store and, for whoever
 * watches from outside, in `metrics.json`.
 */
export async function snapshotMetrics(
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
