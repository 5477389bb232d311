import type { PluginValues } from '../contracts/host-service.ts';
import type { KeptOutput, KeptOutputs } from '../contracts/kept-outputs.ts';
import { isNeeded } from './kept-words.ts';
import { type Database, insertRow } from './open-database.ts';

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

type Row = Omit<KeptOutput, 'isCut'> & { is_cut: number };

const columns = 'run, step, plugin, program, stream, hash, bytes, is_cut, ts';

export function outputQueries(database: Database): KeptOutputs {
  return {
    add: ({ run, step, plugin, program, stream, hash, bytes, isCut, ts }) => {
      const row = { run, step, plugin, program, stream, hash, bytes, is_cut: isCut, ts };
      insertRow(database, 'program_outputs', row);
    },
    ofStep: (run, step) =>
      database
        .all<Row>(
          `SELECT ${columns} FROM program_outputs WHERE run = ? AND step = ? ORDER BY seq`,
          run,
          step,
        )
        .map(toOutput),
    find: (project, id) =>
      database
        .all<Row>(
          `SELECT ${columns} FROM program_outputs
           WHERE run IN (SELECT id FROM runs WHERE project = ?)
             AND (substr(run, 1, ?) = ? OR hash = ?)
           ORDER BY seq`,
          project,
          id.length,
          id,
          id,
        )
        .map(toOutput),
    isOf: (plugin, project, hash) =>
      database.get(
        `SELECT 1 FROM program_outputs
         WHERE plugin = ? AND hash = ? AND run IN (SELECT id FROM runs WHERE project = ?) LIMIT 1`,
        plugin,
        hash,
        project,
      ) !== undefined,
    trim: (maxBytes) =>
      database.transaction(() => {
        const old = database.all<{ seq: number; hash: string }>(
          `SELECT seq, hash FROM
             (SELECT seq, hash, sum(bytes) OVER (ORDER BY seq DESC) AS total FROM program_outputs)
           WHERE total > ?`,
          maxBytes,
        );
        for (const { seq } of old) database.run('DELETE FROM program_outputs WHERE seq = ?', seq);
        return [...new Set(old.map(({ hash }) => hash))].filter(
          (hash) => !isNeeded(database, hash),
        );
      }),
  };
}

function toOutput({ is_cut, ...row }: Row): KeptOutput {
  return { ...row, isCut: is_cut === 1 };
}
