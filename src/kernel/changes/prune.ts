import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import { namesIn } from '../../lib/files/folders.ts';
import { protectedBelow, rootFolders } from '../../lib/files/paths.ts';
import { readDryRun, removeDryRun } from '../../programs/snapshot/copy-changes.ts';
import { sweepParts } from '../../programs/snapshot/copy-root.ts';
import { defaultSnapshotLimits, walkRoot } from '../../programs/snapshot/walk-root.ts';
import { dropDamagedCopies, keptDays } from '../../store/damaged-copies.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { dropUnnamed, type Pruned, pruneBlobs } from '../../workspace/blob-store.ts';
import { dryRunsFolder } from './dry-run.ts';

export type PruneReport = {
  blobs: Pruned;
  /** dry runs that were forgotten */
  dryRuns: number;
  /** parts of cut-off writes in the workspace, which is walked only after a run that did not end */
  parts: number;
};

/**
 * Brings what is kept for undo and apply below its limits, and sweeps what crashes left.
 *
 * @param nowMs ms since the epoch
 */
export type PruneBlobs = (nowMs: number, options: { signal: AbortSignal }) => Promise<PruneReport>;

const hourMs = 60 * 60 * 1000;
const dryRunAgeMs = 7 * 24 * hourMs;
/** Age of a copy without a record: its run was interrupted, or is just starting. */
const unboundAgeMs = 24 * hourMs;
const root = 'work';

export function createPruneBlobs(ports: {
  config: Config;
  store(): Promise<StoreWithJournal>;
}): PruneBlobs {
  const { config } = ports;
  return async (nowMs, { signal }) => {
    const store = await ports.store();
    const { changes } = store;
    dropDamagedCopies(join(config.home, 'cuervo.db'), nowMs - keptDays * 24 * hourMs);
    const limits = { maxBytes: config.blobBytes, nowMs };
    return {
      blobs: pruneBlobs(join(config.home, 'blobs'), changes, limits),
      dryRuns: forgetDryRuns(dryRunsFolder(config), nowMs),
      parts: await sweepOnce(config, store, nowMs, signal),
    };
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

/**
 * Walks the workspace once, and again after an interrupted run: only such a run leaves temporary
 * files.
 */
async function sweepOnce(
  config: Config,
  store: StoreWithJournal,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> {
  const key = `parts-swept:${config.workspace}`;
  const sweptMs = Number(store.getSetting(key)?.sweptMs ?? Number.NEGATIVE_INFINITY);
  // A younger run may still go on; its temporary files stay, too.
  const cutOff = store.unfinishedRuns(config.workspace, sweptMs - 2 * hourMs, nowMs - hourMs);
  if (Number.isFinite(sweptMs) && cutOff === 0) return 0;
  const parts = await sweep(config, nowMs, signal);
  // A write that was cut off within the last hour waits for the next time.
  store.setSetting(key, { sweptMs: nowMs });
  return parts;
}

async function sweep(config: Config, nowMs: number, signal: AbortSignal): Promise<number> {
  const { work = '' } = rootFolders([root], config);
  const { entries } = await walkRoot(root, work, {
    isProtected: createContentGate(protectedBelow(config)).isProtected,
    maxEntries: defaultSnapshotLimits.entries,
    signal,
  });
  return sweepParts(work, entries, nowMs);
}

/**
 * After rows were forgotten: removes files beside the store that no row names. The states for
 * finding changes of programs go, too; the next program makes them anew.
 *
 * @param runs their dry runs go, too
 */
export function dropKept(
  config: Pick<Config, 'home'>,
  store: Pick<StoreWithJournal, 'changes'>,
  runs: readonly string[],
): void {
  const named = store.changes.named();
  dropUnnamed(join(config.home, 'blobs'), named);
  // without the states that it knows the digests of, this is of no use
  if (!named.isRunning) rmSync(join(config.home, 'snapshots'), { recursive: true, force: true });
  if (runs.length === 0) return;
  for (const name of namesIn(dryRunsFolder(config))) {
    const place = join(dryRunsFolder(config), name);
    if (runs.includes(readDryRun(place)?.run ?? '')) removeDryRun(place);
  }
}
