import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Walked } from './walk-root.ts';

/** What a write that was cut off leaves beside the file; see `writeWhole()`. */
const partName = /(?:^|\/)\.cuervo-[0-9a-f]{16}\.part$/;
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
  for (const [path, { kind, mtimeMs }] of entries) {
    if (kind !== 'file' || mtimeMs > nowMs - strayAgeMs || !partName.test(path)) continue;
    rmSync(join(folder, path), { force: true });
    entries.delete(path);
    swept += 1;
  }
  return swept;
}
