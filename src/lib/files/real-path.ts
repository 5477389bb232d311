import { realpathSync } from './raw-fs.ts';

/** The path with its links resolved; itself where nothing is there yet, or any more. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
