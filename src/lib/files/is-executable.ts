import { accessSync, constants } from 'node:fs';

/** Whether this user may run the file; false for what is missing. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
