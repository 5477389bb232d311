import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
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
