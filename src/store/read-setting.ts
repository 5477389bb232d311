import BetterSqlite3 from 'better-sqlite3';
import type { JsonObject } from '../contracts/tool.ts';

/**
 * A setting of a store that is only looked at: nothing is created, locked or brought up to date.
 *
 * @throws where there is no store, or none that can be read
 */
export function readSetting(path: string, key: string): JsonObject | undefined {
  const connection = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    const row = connection.prepare('SELECT value FROM settings WHERE key = ?').get(key) as
      | { value: string }
      | undefined;
    return row === undefined ? undefined : (JSON.parse(row.value) as JsonObject);
  } finally {
    connection.close();
  }
}
