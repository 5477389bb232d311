import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate } from './migrations.ts';
import { keptWords } from './value-queries.ts';

/** Columns of text or bytes of the store as SQLite tells of them, by their table. */
function columnsOf(connection: BetterSqlite3.Database): Record<string, string[]> {
  const rows = connection
    .prepare(
      `SELECT of.name AS "table", has.name AS "column" FROM sqlite_schema AS of
       JOIN pragma_table_xinfo(of.name) AS has
       WHERE of.type = 'table' AND of.name NOT LIKE 'sqlite_%'
         AND has.type NOT IN ('INTEGER', 'REAL')`,
    )
    .all() as { table: string; column: string }[];
  return Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ table }) => table)).map(([table, found = []]) => [
      table,
      found.map(({ column }) => column).toSorted(),
    ]),
  );
}

const listed = Object.fromEntries(
  Object.entries(keptWords).map(([table, { words, other }]) => [
    table,
    [...words, ...other].toSorted(),
  ]),
);

describe('keptWords', () => {
  it('lists every column of text or bytes of the store', () => {
    using connection = open();
    // what only counts has no column to list
    const withText = Object.entries(columnsOf(connection)).filter(([, found]) => found.length > 0);
    expect(listed).toEqual(Object.fromEntries(withText));
  });

  it('lacks a column that is new', () => {
    using connection = open();
    connection.exec('ALTER TABLE lasting_effects ADD COLUMN said TEXT');
    expect(columnsOf(connection).lasting_effects).not.toEqual(listed.lasting_effects);
  });

  it('finds what goes with a run by a column of that name', () => {
    using connection = open();
    const columns = columnsOf(connection);
    const byRun = Object.keys(keptWords).filter((table) =>
      ['run', 'contents', 'undo'].includes(keptWords[table]?.goes ?? ''),
    );
    expect(byRun).toContain('events');
    for (const table of byRun) expect(columns[table], table).toContain('run');
  });
});

function open(): BetterSqlite3.Database & Disposable {
  const connection = new BetterSqlite3(':memory:');
  migrate(connection, 'x');
  return Object.assign(connection, { [Symbol.dispose]: () => void connection.close() });
}
