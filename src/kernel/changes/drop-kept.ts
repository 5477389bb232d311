import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { namesIn } from '../../lib/files/folders.ts';
import { readDryRun, removeDryRun } from '../../programs/snapshot/dry-run-record.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { dropUnnamed } from '../../workspace/prune-blobs.ts';
import { dryRunsFolder } from './dry-run.ts';

/**
 * Removes what lies beside the store and no row names: after rows were forgotten. What a program
 * would find changed is copied again by the next one.
 *
 * @param runs whose dry runs go, too
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
