import { readdirSync } from 'node:fs';

/** Names in a folder; none where there is no such folder, or nobody may look into it. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
