import { readdirSync } from 'node:fs';

/** Names in a folder; empty when there is no such folder, or it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
