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
import BetterSqlite3 from 'better-sqlite3';
import { KernelError } from '../../contracts/error.ts';
import { moveAway } from '../files/folders.ts';
import { isSqliteError, toStoreError } from './store-error.ts';

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

/**
 * A lock between processes, held as an exclusive transaction on a file of its own. The operating
 * system ends it with the process, so nothing is left behind by a crash and nothing expires under
 * a holder that is only slow. The holder may remove the file before it lets go. The caller owns
 * the result.
 *
 * @param path file made for this lock alone
 * @returns undefined when another holder has it
 */
export function tryLock(path: string): Disposable | undefined {
  for (let tries = 1; ; tries += 1) {
    const held = tryOnce(path, tries === maxTries);
    if (held !== 'removed') return held;
  }
}

/** @param isLast takes it as it is, as on file systems that number a file anew each time */
function tryOnce(path: string, isLast: boolean): Disposable | 'removed' | undefined {
  let connection: BetterSqlite3.Database | undefined;
  let before: string | undefined;
  // Nobody else may hold another file of that name.
  const isRemoved = (): boolean => !isLast && (before === undefined || identityOf(path) !== before);
  try {
    makePrivate(path);
    before = identityOf(path);
    connection = new BetterSqlite3(path, { timeout: 0 });
    // Nothing is written, so no journal stands beside it.
    connection.pragma('journal_mode = memory');
    connection.exec('BEGIN EXCLUSIVE');
    const held = connection;
    if (!isRemoved()) return { [Symbol.dispose]: () => void held.close() };
    held.close();
    return 'removed';
  } catch (thrown) {
    connection?.close();
    if (isSqliteError(thrown, 'SQLITE_BUSY')) return undefined;
    // SQLite can fail on a file that goes while it opens it.
    if (isSqliteError(thrown) && isRemoved()) return 'removed';
    throw toStoreError(thrown, path);
  }
}

/** With its birth, as the number of a file that went is given to the next. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? undefined : `${stats.dev} ${stats.ino} ${stats.birthtimeNs}`;
}
