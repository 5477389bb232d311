import type { PluginValues } from '../contracts/host-service.ts';
import type { Database } from './open-database.ts';

/** The private values of plugins. */
export function valueQueries(database: Database): PluginValues {
  return {
    get: (plugin, key) =>
      database.get<{ value: Uint8Array }>(
        'SELECT value FROM plugin_values WHERE plugin = ? AND key = ?',
        plugin,
        key,
      )?.value,
    set: (plugin, key, value) => {
      database.run(
        'INSERT INTO plugin_values (plugin, key, value) VALUES (?, ?, ?) ON CONFLICT (plugin, key) DO UPDATE SET value = excluded.value',
        plugin,
        key,
        value,
      );
    },
    delete: (plugin, key) => {
      database.run('DELETE FROM plugin_values WHERE plugin = ? AND key = ?', plugin, key);
    },
    clear: (plugin) => {
      database.run('DELETE FROM plugin_values WHERE plugin = ?', plugin);
    },
    keys: (plugin, prefix) =>
      database
        .all<{ key: string }>(
          'SELECT key FROM plugin_values WHERE plugin = ? AND substr(key, 1, ?) = ? ORDER BY key',
          plugin,
          [...prefix].length,
          prefix,
        )
        .map(({ key }) => key),
    bytes: (plugin) =>
      database.get<{ total: number | null }>(
        'SELECT sum(length(CAST(key AS BLOB)) + length(value)) AS total FROM plugin_values WHERE plugin = ?',
        plugin,
      )?.total ?? 0,
  };
}
