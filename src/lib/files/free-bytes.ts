import { statfsSync } from 'node:fs';

/** Bytes that may still be written to a folder's disk; undefined when the system does not say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
