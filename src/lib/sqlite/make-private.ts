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
import { KernelError } from '../../contracts/error.ts';
import { moveAway } from '../files/folders.ts';

/**
 * Makes an empty file of mode 0600, with its folder (0700); a file that is there loses the rights
 * of group and others. SQLite gives the files beside it (`-wal`, `-shm`) the same mode.
 *
 * An existing file is never opened: closing it would drop the locks this process holds on it.
 */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 1; ; tries += 1) {
    try {
      makeOrCheck(path);
      return;
    } catch (thrown) {
      // a lock that its holder removed since; or a link to nothing, which is so each time
      if (!isCode(thrown, 'ENOENT') || tries === maxTries) throw thrown;
    }
  }
}

const maxTries = 100;

function makeOrCheck(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if (!isCode(thrown, 'EEXIST')) throw thrown;
    const stats = statSync(path);
    if (!stats.isFile()) throw noFile(path);
    // asked before SQLite is: it would open the file for reading and leave files beside it that
    // stay read-only when the file itself is mended
    accessSync(path, constants.R_OK | constants.W_OK);
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

function isCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

/**
 * SQLite would report a pipe or a device as a failing disk. The words are those of `cuervo doctor`.
 */
function noFile(path: string): KernelError {
  return new KernelError('unavailable', `the store ${path} is not a regular file`, {
    hint: `move it away and a new one is made: ${moveAway(path)}`,
  });
}
