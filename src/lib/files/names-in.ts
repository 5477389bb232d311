import { entriesIn } from './raw-fs.ts';

/** Names in a folder; empty when there is no such folder, or it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return entriesIn(folder).map(({ name }) => name);
  } catch {
    return [];
  }
}
