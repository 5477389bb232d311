import BetterSqlite3 from 'better-sqlite3';
import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { openCopy } from './open-copy.ts';
import type { Database } from './open-database.ts';

/** Small JSON values by name. */
export function settingQueries(database: Database): Pick<Store, 'getSetting' | 'setSetting'> {
  return {
    getSetting: (key) => {
      const row = database.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key);
      return row === undefined ? undefined : (JSON.parse(row.value) as JsonObject);
    },
    setSetting: (key, value) => {
      database.run(
        'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        JSON.stringify(value),
      );
    },
  };
}

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
