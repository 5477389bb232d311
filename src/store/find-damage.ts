import { existsSync, readFileSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { isSqliteError } from '../lib/sqlite/store-error.ts';

/** A larger file is not checked: this much takes less than a second. */
export const maxCheckedBytes = 64 * 1024 * 1024;

/** Bytes of the header of every database; https://www.sqlite.org/fileformat.html#the_database_header */
const headerBytes = 100;

/**
 * Checks a database; changes nothing and creates nothing.
 *
 * @returns undefined when it was not checked: it is too large, or locked
 */
export function isDamaged(path: string, maxBytes = maxCheckedBytes): boolean | undefined {
  const { size } = statSync(path);
  if (size > maxBytes) return undefined;
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

/** Layers of memory whose tables must hold rows, by a look that changes and creates nothing. */
export function layersInTables(path: string): Set<string> {
  const connection = open(path);
  try {
    const rows = connection
      .prepare('SELECT DISTINCT layer FROM memory_rows WHERE id NOT IN (SELECT id FROM memory_wal)')
      .all() as { layer: string }[];
    return new Set(rows.map(({ layer }) => layer));
  } finally {
    connection.close();
  }
}

/**
 * Opening a file creates a log beside it, and opening it read-only leaves that log there. So this
 * opens a copy in memory. With a log, the file alone is not the whole database.
 */
function open(path: string): BetterSqlite3.Database {
  const hasLog = (): boolean => existsSync(`${path}-wal`);
  const bytes = hasLog() ? undefined : readFileSync(path);
  // A log that appeared during the read: the copy may hold half of a change.
  if (bytes === undefined || hasLog()) return new BetterSqlite3(path, { readonly: true });
  // Read and write version 1, that of a file without a log, which memory has none of:
  // https://www.sqlite.org/fileformat.html#file_format_version_numbers
  bytes.fill(1, 18, 20);
  return new BetterSqlite3(bytes);
}
