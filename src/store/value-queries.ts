import type { PluginValues } from '../contracts/host-service.ts';
import type { Database } from './open-database.ts';

export function valueQueries(database: Database): PluginValues {
  return {
    get: ({ plugin, project }, key) =>
      database.get<{ value: Uint8Array }>(
        'SELECT value FROM plugin_values WHERE plugin = ? AND project = ? AND key = ?',
        plugin,
        project,
        key,
      )?.value,
    set: ({ plugin, project }, key, value) => {
      database.run(
        'INSERT INTO plugin_values (plugin, project, key, value) VALUES (?, ?, ?, ?) ON CONFLICT (plugin, project, key) DO UPDATE SET value = excluded.value',
        plugin,
        project,
        key,
        value,
      );
    },
    delete: ({ plugin, project }, key) => {
      database.run(
        'DELETE FROM plugin_values WHERE plugin = ? AND project = ? AND key = ?',
        plugin,
        project,
        key,
      );
    },
    clear: (plugin) => {
      database.run('DELETE FROM plugin_values WHERE plugin = ?', plugin);
    },
    keys: ({ plugin, project }, prefix) =>
      database
        .all<{ key: string }>(
          'SELECT key FROM plugin_values WHERE plugin = ? AND project = ? AND substr(key, 1, ?) = ? ORDER BY key',
          plugin,
          project,
          [...prefix].length,
          prefix,
        )
        .map(({ key }) => key),
    bytes: ({ plugin, project }) =>
      database.get<{ total: number | null }>(
        'SELECT sum(length(CAST(key AS BLOB)) + length(value)) AS total FROM plugin_values WHERE plugin = ? AND project = ?',
        plugin,
        project,
      )?.total ?? 0,
  };
}
