import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { createLanceIndices } from './lance-indices.ts';
import { createLanceQueries } from './lance-queries.ts';
import { lanceSchema, loadArrow, toLanceRow } from './lance-schema.ts';
import type { LanceTable, WrittenRow } from './lance-table.ts';
import type { TableName } from './table-names.ts';

/** Opens the table, and makes it and its full-text index where `make` says so. */
export async function openLanceTable(
  connection: Connection,
  name: TableName,
  options: { make: boolean },
): Promise<LanceTable> {
  const { Index, makeArrowTable } = await import('@lancedb/lancedb');
  const schema = () => lanceSchema(loadArrow(), name.dimensions);
  const table = options.make
    ? await openOrMake(connection, name.table, schema())
    : await connection.openTable(name.table);
  const { indexWords, vectorIndex, ...upkeep } = createLanceIndices(table, name, Index);
  // asked for each time: a process may have died between the table and its index
  if (options.make && (await table.listIndices()).length === 0) await indexWords(false);
  const arrowRows = (rows: readonly WrittenRow[]) =>
    makeArrowTable(
      rows.map(({ id, record, made }) => toLanceRow(id, record, made)),
      { schema: schema() },
    );
  return {
    name,
    ...createLanceQueries(table, name, vectorIndex),
    ...upkeep,
    countRows: (where) => table.countRows(where),
    write: async (rows) => {
      const { numUpdatedRows } = await table
        .mergeInsert('id')
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(arrowRows(rows));
      return numUpdatedRows;
    },
    append: async (rows) => {
      await table.add(arrowRows(rows));
    },
    remove: async (where) => {
      await table.delete(where);
    },
    size: async () => {
      const { fragmentStats, totalBytes } = await table.stats();
      return { fragments: fragmentStats.numFragments, bytes: totalBytes };
    },
    refresh: () => table.checkoutLatest(),
    version: () => table.version(),
    [Symbol.dispose]: () => table.close(),
  };
}

/**
 * The table of that name, made where there is none. One that was made before ids were a key to
 * LanceDB has the same columns and is used as it is: the write lock alone keeps its ids apart.
 */
async function openOrMake(connection: Connection, name: string, schema: Schema): Promise<Table> {
  try {
    return await connection.createEmptyTable(name, schema, { existOk: true });
  } catch (thrown) {
    const table = await connection.openTable(name).catch(() => undefined);
    if (table === undefined) throw thrown;
    if (columnsOf(await table.schema()) === columnsOf(schema)) return table;
    table.close();
    throw thrown;
  }
}

function columnsOf(schema: Schema): string {
  return schema.fields.map(({ name, type }) => `${name} ${String(type)}`).join();
}
