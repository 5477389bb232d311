import { readFileSync } from 'node:fs';

const pageBytes = 4096;

/** Resident and not shared with a file; 0 for a process that is gone. @param path of its `statm` */
export function anonymousBytes(path: string): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(path, 'utf8').split(' ').map(Number);
    return (resident - shared) * pageBytes;
  } catch {
    return 0;
  }
}
