import BetterSqlite3 from 'better-sqlite3';
import type { JsonObject } from '../contracts/tool.ts';
import { openCopy } from './open-copy.ts';

/**
 * A setting of a store that is only looked at: nothing is created, locked or brought up to date.
 *
 * @throws where there is no store, or none that can be read
 */
export function readSetting(path: string, key: string): JsonObject | undefined {
  try {
    // A connection that may only read leaves the files beside the store that it needs.
    return readFrom(new BetterSqlite3(path, { fileMustExist: true }), key);
  } catch {
    return readFrom(openCopy(path), key);
  }
}

function readFrom(connection: BetterSqlite3.Database, key: string): JsonObject | undefined {
  try {
    connection.pragma('query_only = ON');
    const row = connection.prepare('SELECT value FROM settings WHERE key = ?').get(key) as
      | { value: string }
      | undefined;
    return row === undefined ? undefined : (JSON.parse(row.value) as JsonObject);
  } finally {
    connection.close();
  }
}
