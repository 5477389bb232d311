import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes an empty file of mode 0600, with its folder (0700); a file that is there loses the rights
 * of group and others. SQLite gives the files beside it (`-wal`, `-shm`) the same mode.
 *
 * A file that is there is never opened: closing it would drop the locks this process holds on it.
 */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    // asked before SQLite is: it would open the file for reading and leave files beside it that
    // stay read-only when the file itself is mended
    accessSync(path, constants.R_OK | constants.W_OK);
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
