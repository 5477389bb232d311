import type { Database, SqlValue } from './open-database.ts';

/**
 * Adds a row. Undefined is stored as null, a boolean as 0 or 1. Rows that come by the thousand are
 * written by plain SQL instead, which takes half the time.
 *
 * @param row by its columns, whose names come from our own code and never from data
 * @param verb `INSERT OR REPLACE` puts it in the place of a row with the same key
 */
export function insertRow(
  database: Database,
  table: string,
  row: Readonly<Record<string, SqlValue | boolean | undefined>>,
  verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT',
): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const values = Object.values(row).map((value) =>
    typeof value === 'boolean' ? Number(value) : (value ?? null),
  );
  database.run(`${verb} INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...values);
}
