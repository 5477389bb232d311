import { statfsSync } from 'node:fs';

/** What may still be written where a folder lies; undefined where the system does not tell. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
