import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Disk blocks, as `du` counts: what a person loses. */
export function bytesBelow(path: string): number {
  const found = lstatSync(path);
  const own = found.blocks * 512;
  if (!found.isDirectory()) return found.nlink > 1 ? own / found.nlink : own;
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), own);
}
