import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lets everybody read what lies in a folder: what is built is not a secret, and whoever else uses
 * the same clone runs it. What a home holds stays with its owner.
 */
export function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, 0o644);
  }
}
