import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { protectAlso } from '../host/below/protected-check.ts';
import { readDryRun } from '../host/snapshot/dry-run-record.ts';
import { defaultSnapshotLimits } from '../host/snapshot/snapshot-limits.ts';
import { sweepParts } from '../host/snapshot/sweep-parts.ts';
import { walkRoot } from '../host/snapshot/walk-root.ts';
import type { StoreWithJournal } from '../store/open-store.ts';
import { type Pruned, pruneBlobs } from '../workspace/prune-blobs.ts';
import { dryRunsFolder } from './dry-run.ts';
import { protectedBelow, rootFolders } from './roots.ts';

export type PruneReport = {
  blobs: Pruned;
  /** dry runs that were forgotten */
  dryRuns: number;
  /** parts of cut-off writes in the workspace */
  parts: number;
};

export type Pruner = {
  /**
   * Brings what is kept for undo and apply below its limits, and sweeps what crashes left.
   *
   * @param nowMs ms since the epoch
   */
  pruneBlobs(nowMs: number): Promise<PruneReport>;
  /** The same for pre-images alone, where it was not done within the hour. */
  afterRun(nowMs: number): Promise<void>;
};

const hourMs = 60 * 60 * 1000;
const dryRunAgeMs = 7 * 24 * hourMs;
/** A copy without a record, whose run was cut off or is just being made. */
const unboundAgeMs = 24 * hourMs;
const root = 'work';
const setting = 'pruned';

export function createPruner(ports: {
  config: Config;
  store(): Promise<StoreWithJournal>;
}): Pruner {
  const { config } = ports;
  const folder = join(config.home, 'blobs');

  const prune = async (nowMs: number): Promise<Pruned> => {
    const store = await ports.store();
    store.setSetting(setting, { ts: nowMs });
    return pruneBlobs(folder, store.changes, { maxBytes: config.blobBytes, nowMs });
  };

  return {
    pruneBlobs: async (nowMs) => ({
      blobs: await prune(nowMs),
      dryRuns: forgetDryRuns(dryRunsFolder(config), nowMs),
      parts: await sweep(config, nowMs),
    }),
    afterRun: async (nowMs) => {
      if (!existsSync(folder)) return;
      const { ts } = (await ports.store()).getSetting(setting) ?? {};
      if (typeof ts === 'number' && nowMs - ts < hourMs) return;
      await prune(nowMs);
      forgetDryRuns(dryRunsFolder(config), nowMs);
    },
  };
}

function forgetDryRuns(folder: string, nowMs: number): number {
  const old = namesIn(folder).filter((name) => {
    const place = join(folder, name);
    const ageMs = nowMs - (lstatSync(place, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
    return ageMs > dryRunAgeMs || (ageMs > unboundAgeMs && readDryRun(place) === undefined);
  });
  for (const name of old) rmSync(join(folder, name), { recursive: true, force: true });
  return old.length;
}

async function sweep(config: Config, nowMs: number): Promise<number> {
  const { work = '' } = rootFolders([root], config);
  const { entries } = await walkRoot(root, work, {
    isProtected: protectAlso(protectedBelow(config)),
    maxEntries: defaultSnapshotLimits.entries,
  });
  return sweepParts(work, entries, nowMs);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
