import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { freeBytes } from '../files/folders.ts';
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
