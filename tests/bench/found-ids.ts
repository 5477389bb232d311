import type { LanceTable, RowPlace } from '../../src/memory/tables/lance-table.ts';

/** Ids of the rows that an arm found, in its order. */
export async function foundIds(table: LanceTable, rows: readonly RowPlace[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const marks = await table.marks(rows);
  return rows.flatMap(({ rowId }) => marks.get(rowId)?.id ?? []);
}
