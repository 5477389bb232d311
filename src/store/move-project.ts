import type { Database } from './open-database.ts';

/**
 * Gives the records of a workspace another path: runs with what they changed, sessions, values of
 * plugins and memory. Pieces of files stay where they are; they are read again. Rows of memory
 * wait for their table once more, which still has the old path.
 */
export function moveProject(database: Database, from: string, to: string): void {
  const withPath = (column: string): string => `json_set(${column}, '$.project', ?)`;
  const ofOld = (column: string): string => `json_extract(${column}, '$.project') = ?`;
  database.transaction(() => {
    for (const table of ['runs', 'sessions', 'plugin_values'])
      database.run(`UPDATE OR IGNORE ${table} SET project = ? WHERE project = ?`, to, from);
    database.run(
      `UPDATE memory_wal SET record = ${withPath('record')} WHERE ${ofOld('record')}`,
      to,
      from,
    );
    database.run(
      `UPDATE memory_changes SET before = ${withPath('before')} WHERE ${ofOld('before')}`,
      to,
      from,
    );
    database.run(
      `UPDATE memory_rows SET project = ?, record = ${withPath('record')} WHERE project = ?`,
      to,
      to,
      from,
    );
    database.run(
      `INSERT OR IGNORE INTO memory_wal (id, record)
         SELECT id, record FROM memory_rows WHERE project = ? ORDER BY ts`,
      to,
    );
    database.run(
      'UPDATE OR IGNORE settings SET key = ? WHERE key = ?',
      `project-rules:${to}`,
      `project-rules:${from}`,
    );
  });
}
