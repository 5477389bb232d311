import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { partOwner } from '../../paths/part-name.ts';
import type { Walked } from './walk-root.ts';

/** A write that goes on is younger. */
const strayAgeMs = 60 * 60 * 1000;

/**
 * Removes what cut-off writes left in a root.
 *
 * @param entries of a walk of it; what is removed is taken out of them
 * @param nowMs ms since the epoch
 * @returns how many were removed
 */
export function sweepParts(folder: string, entries: Map<string, Walked>, nowMs: number): number {
  let swept = 0;
  for (const [path, { kind, mtimeNs }] of entries) {
    if ((kind !== 'file' && kind !== 'link') || Number(mtimeNs) / 1e6 > nowMs - strayAgeMs)
      continue;
    if (partOwner(basename(path)) === undefined) continue;
    rmSync(join(folder, path), { force: true });
    entries.delete(path);
    swept += 1;
  }
  return swept;
}
