import { existsSync, readFileSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { isSqliteError } from './store-error.ts';

/** A larger file is not looked through: this much takes less than a second. */
export const maxCheckedBytes = 64 * 1024 * 1024;

/** Bytes of the header of every database; https://www.sqlite.org/fileformat.html#the_database_header */
const headerBytes = 100;

/**
 * Looks through a database, and changes and makes nothing.
 *
 * @returns undefined where it was not looked through: it is too large, or kept locked
 */
export function isDamaged(path: string): boolean | undefined {
  const { size } = statSync(path);
  if (size > maxCheckedBytes) return undefined;
  // SQLite takes an empty file for a new database.
  if (size === 0) return false;
  if (size < headerBytes) return true;
  try {
    const connection = open(path);
    try {
      return connection.pragma('quick_check(1)', { simple: true }) !== 'ok';
    } finally {
      connection.close();
    }
  } catch (thrown) {
    if (isSqliteError(thrown, 'SQLITE_CORRUPT') || isSqliteError(thrown, 'SQLITE_NOTADB'))
      return true;
    if (isSqliteError(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * To open a file would make a log beside it, and to open it read-only would leave that log there:
 * so a copy in memory is opened. Where there is a log the file alone is not the whole database.
 */
function open(path: string): BetterSqlite3.Database {
  const hasLog = (): boolean => existsSync(`${path}-wal`);
  const bytes = hasLog() ? undefined : readFileSync(path);
  // One that came while the file was read: what was read may be half of a change.
  if (bytes === undefined || hasLog()) return new BetterSqlite3(path, { readonly: true });
  // Read and write version 1, that of a file without a log, which memory has none of:
  // https://www.sqlite.org/fileformat.html#file_format_version_numbers
  bytes.fill(1, 18, 20);
  return new BetterSqlite3(bytes);
}
