import { lstatSync } from 'node:fs';

/** Whether something is a link, also one to nothing; false where nothing is. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // nothing is there
  }
}
