import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { MemorySource } from '../contracts/memory-store.ts';
import { unprintablePath } from '../lib/text/escape.ts';

/**
 * Whether a file is what it was when memory read it, and lies where it lay. A link in its place, or
 * in the place of a folder above it, is another file.
 *
 * @param folder real path of the workspace, or of the copy that is worked on
 */
export function standsAsRead(folder: string, known: MemorySource | undefined): boolean {
  if (known === undefined || known.forgottenMs !== undefined) return false;
  // An index of an earlier version may hold such a name; the next update drops it.
  if (unprintablePath.test(known.source)) return false;
  const path = join(folder, known.source);
  try {
    const found = lstatSync(path);
    if (!found.isFile() || found.size !== known.bytes) return false;
    return found.mtimeMs === known.changedMs && realpathSync(path) === path;
  } catch {
    return false;
  }
}
