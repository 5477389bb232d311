import type { Connection, Table } from '@lancedb/lancedb';
import { loadArrow, primaryKey } from './lance-schema.ts';
import { isTableName, type TableName } from './table-names.ts';

/** Beside the tables of shared layers: which table serves which layer, and who writes. */
export const controlName = 'cuervo-control';

/** A row of it: a layer's table as JSON in `value`, or the lease with its holder and beat. */
export type ControlRow = { id: string; holder: string; beat: bigint; value: string };

const layerPrefix = 'layer:';

/** Opens it; makes it if it is missing. The caller owns the result. */
export async function openControlTable(connection: Connection): Promise<Table> {
  if ((await connection.tableNames()).includes(controlName)) {
    return await connection.openTable(controlName);
  }
  const arrow = loadArrow();
  const schema = new arrow.Schema([
    new arrow.Field('id', new arrow.Utf8(), false, primaryKey),
    new arrow.Field('holder', new arrow.Utf8(), false),
    new arrow.Field('beat', new arrow.Int64(), false),
    new arrow.Field('value', new arrow.Utf8(), false),
  ]);
  try {
    return await connection.createEmptyTable(controlName, schema, { existOk: true });
  } catch (thrown) {
    // two machines at once: one of them made it
    if (!(await connection.tableNames()).includes(controlName)) throw thrown;
    return await connection.openTable(controlName);
  }
}

/** Adds the row, or takes the place of the one with its id. */
export async function putControlRow(table: Table, row: ControlRow): Promise<void> {
  const { makeArrowTable } = await import('@lancedb/lancedb');
  await table.checkoutLatest();
  await table
    .mergeInsert('id')
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(makeArrowTable([row], { schema: await table.schema() }));
}

export async function namesIn(table: Table): Promise<TableName[]> {
  await table.checkoutLatest();
  const rows: ControlRow[] = await table.query().toArray();
  return rows.flatMap(({ id, value }) => {
    if (!id.startsWith(layerPrefix)) return [];
    const name: unknown = JSON.parse(value);
    return isTableName(name) ? [name] : [];
  });
}

export async function keepNameIn(table: Table, name: TableName): Promise<void> {
  const id = `${layerPrefix}${name.layer}`;
  await putControlRow(table, { id, holder: '', beat: 0n, value: JSON.stringify(name) });
}
