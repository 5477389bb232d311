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
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { freeBytes, moveAway } from '../files/folders.ts';
import { shellWord } from '../text/escape.ts';

/** True for errors of SQLite; better-sqlite3 names the extended result code in `code`. */
export function isSqliteError(
  thrown: unknown,
  prefix = 'SQLITE_',
): thrown is Error & { code: string } {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    thrown.code.startsWith(prefix)
  );
}

/**
 * True when only the values of one statement are wrong. The next statement may be fine.
 *
 * @param thrown by a `Database`
 */
export function isRowRefused(thrown: unknown): boolean {
  const cause = thrown instanceof KernelError ? thrown.cause : thrown;
  // better-sqlite3 throws these for values that it cannot bind.
  if (cause instanceof TypeError || cause instanceof RangeError) return true;
  return ['SQLITE_CONSTRAINT', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG'].some((prefix) =>
    isSqliteError(cause, prefix),
  );
}

/** Whether this process may not write the file at `path`, or make files beside it. */
export function mayNotBeWritten(path: string): boolean {
  return [path, dirname(path)].some((each) => {
    try {
      accessSync(each, constants.W_OK);
      return false;
    } catch (thrown) {
      const { code = '' } = thrown as NodeJS.ErrnoException;
      return ['EACCES', 'EROFS', 'EPERM'].includes(code);
    }
  });
}

/** Bytes of the smallest index of a log, with a page of the log itself beside it. */
const needed = 32_768 + 4_096;

/**
 * An error from opening or using the database, as one sentence that names the file. Result codes:
 * https://www.sqlite.org/rescode.html
 *
 * @param free bytes that may still be written in a folder
 */
export function toStoreError(
  thrown: unknown,
  path: string,
  free: (folder: string) => number | undefined = freeBytes,
): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const raw = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  // When the index of its log does not fit, SQLite reports a full disk as a failed one.
  const isFull = raw.startsWith('SQLITE_IOERR') && (free(dirname(path)) ?? needed) < needed;
  const code = isFull ? 'SQLITE_FULL' : raw;
  const found = sentences.find(({ codes }) => codes.test(code));
  if (found === undefined) {
    const message = reasonOf(thrown);
    return new KernelError('internal', `the store ${path} failed: ${message}`, { cause: thrown });
  }
  return new KernelError(found.code, `the store ${path} ${found.says}`, {
    cause: thrown,
    hint: found.hint.replace(/PATH(\.damaged)?/g, (_, end = '') => shellWord(path + end)),
  });
}

const sentences: readonly {
  codes: RegExp;
  code: 'unavailable' | 'resource-exhausted' | 'conflict' | 'not-found';
  says: string;
  hint: string;
}[] = [
  {
    codes: /^SQLITE_READONLY|^EROFS$|^EACCES$|^EPERM$|^SQLITE_PERM/,
    code: 'unavailable',
    says: 'cannot be written: the file or its folder is read-only',
    hint: 'make the folder writable, or set CUERVO_HOME to a folder that is',
  },
  {
    codes: /^SQLITE_CANTOPEN|^ENOTDIR$|^EEXIST$|^EISDIR$|^ENOENT$|^ELOOP$|^ENAMETOOLONG$/,
    code: 'unavailable',
    says: 'cannot be opened: the path is not a file that this user may create or open',
    hint: 'check the path and its permissions, or set CUERVO_HOME to another folder',
  },
  {
    codes: /^SQLITE_FULL|^ENOSPC$|^EDQUOT$|^EFBIG$/,
    code: 'resource-exhausted',
    says: 'cannot grow: the disk is full; nothing was half-written',
    hint: 'free some space, or set CUERVO_HOME to a folder on another disk',
  },
  {
    codes: /^SQLITE_CORRUPT|^SQLITE_NOTADB|^SQLITE_FORMAT/,
    code: 'unavailable',
    says: 'is damaged or is not a SQLite database',
    hint: 'move it away and a new one is made: mv PATH PATH.damaged',
  },
  {
    codes: /^SQLITE_BUSY|^SQLITE_LOCKED|^SQLITE_PROTOCOL/,
    code: 'unavailable',
    says: 'was kept locked by another process for too long',
    hint: 'try again when the other cuervo has finished',
  },
  {
    codes: /^SQLITE_IOERR|^EIO$/,
    code: 'unavailable',
    says: 'could not be read or written: the disk reports an error or a size limit was reached',
    hint: 'check the disk and `ulimit -f`, or set CUERVO_HOME to a folder on another disk',
  },
  {
    codes: /^SQLITE_TOOBIG/,
    code: 'resource-exhausted',
    says: 'was given a value above the size that SQLite can keep',
    hint: 'shorten the text',
  },
  {
    codes: /^SQLITE_CONSTRAINT_FOREIGNKEY/,
    code: 'not-found',
    says: 'does not hold the row that this one belongs to',
    hint: 'start the run or session first',
  },
  {
    codes: /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)/,
    code: 'conflict',
    says: 'already holds a row with this id',
    hint: 'use a new id',
  },
];

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
