import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lets every user read a built folder: builds are not secret, and other users of the same clone run
 * them. Files of a home stay with their owner.
 */
export function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, 0o644);
  }
}
