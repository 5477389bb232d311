import { lstatSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type IndexEntry, markIndex } from './mark-index.ts';
import { isUntouched } from './mark-masked.ts';

/**
 * Lets git trust the times of files that are as old as the index: it counts in seconds, and would
 * ask a filter about each of them when it writes the index. Their times say more: where all of them
 * were last changed before the index was written, the index gets a later time.
 *
 * @param top absolute, of the work tree
 * @param isFiltered which of the paths have a filter that does not run
 */
export async function settleIndex(
  index: string,
  top: string,
  isFiltered: (paths: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const own = lstatSync(index, { bigint: true, throwIfNoEntry: false });
  if (own?.isFile() !== true) return;
  const second = own.mtimeNs / 1_000_000_000n;
  const young: IndexEntry[] = [];
  markIndex(readFileSync(index), (entry) => {
    if (BigInt(entry.mtimeSeconds) >= second) young.push(entry);
    return false;
  });
  const isOlder = (entry: IndexEntry): boolean =>
    isUntouched(join(top, entry.path), entry, own.mtimeNs);
  if (young.length === 0 || !young.every(isOlder)) return;
  if (!(await isFiltered(young.map(({ path }) => path)))) return;
  // In the very second there is no later time yet.
  const leftMs = Number((second + 1n) * 1000n) - Date.now();
  if (leftMs > 0 && leftMs <= 1000) await setTimeout(leftMs);
  const now = lstatSync(index, { bigint: true, throwIfNoEntry: false });
  if (now?.mtimeNs !== own.mtimeNs || now.ino !== own.ino || !young.every(isOlder)) return;
  utimesSync(index, new Date(), new Date());
}
