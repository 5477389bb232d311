import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../lib/files/folders.ts';

/** How long the bytes of a damaged file are kept. */
export const keptDays = 90;

/**
 * Removes copies that repairs kept, and what one left that was cut off. They cannot be searched, so a
 * deletion of words takes them all.
 *
 * @param beforeMs only those of repairs before then; ms since the epoch
 */
export function dropDamagedCopies(path: string, beforeMs = Number.POSITIVE_INFINITY): void {
  for (const name of namesIn(dirname(path))) {
    const [, of, at = 0] =
      /^(.+)\.(?:damaged-(\d+)|repaired)(?:-wal|-shm|-journal)?$/.exec(name) ?? [];
    if (of === basename(path) && Number(at) < beforeMs)
      rmSync(join(dirname(path), name), { force: true });
  }
}
