import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, describe, expect, it } from 'vitest';
import { factRow, tableName, vectorOf } from '../../../tests/fixtures/lance-tables/rows.ts';
import { openLanceTable } from './lance-index.ts';

const written = resolve(
  import.meta.dirname,
  '../../../tests/fixtures/lance-tables/written-by-0.39',
);
const folder = mkdtempSync(join(tmpdir(), 'cuervo-newer-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The store of a person whose tables a later LanceDB wrote last. */
async function openWritten(name: string) {
  const copy = join(folder, name);
  cpSync(written, copy, { recursive: true });
  const connection = await connect(copy);
  const table = await openLanceTable(connection, tableName, { make: true });
  return { connection, table };
}

describe('openLanceTable() on tables of LanceDB 0.39', () => {
  it('finds facts by words and by the index of vectors', async () => {
    const { connection, table } = await openWritten('read');
    using _ = table;
    expect(await table.countRows()).toBe(600);
    const whole = await connection.openTable(tableName.table);
    const types = (await whole.listIndices()).map(({ indexType }) => indexType).sort();
    expect(types).toEqual(['BTree', 'FTS', 'IvfRq']);
    const worded = await table.records(await table.searchWords('service 411', undefined, 5));
    expect([...worded.values()].map(({ id }) => id)).toContain('r411');
    const near = await table.searchVector(vectorOf(411), undefined, 5);
    expect((await table.marks(near)).get(near[0]?.rowId ?? -1n)?.id).toBe('r411');
    const plan = await whole.search(vectorOf(411)).limit(5).explainPlan();
    expect(plan).toMatch(/ANN/);
  });

  it('takes new facts and works them into the indices', async () => {
    const { connection, table } = await openWritten('write');
    using _ = table;
    await table.append([factRow(600)]);
    await table.write([factRow(3)]);
    await table.remove("id = 'r5'");
    await table.optimize(0, true);
    expect(await table.countRows()).toBe(600);
    const near = await table.searchVector(vectorOf(600), undefined, 5);
    expect((await table.marks(near)).get(near[0]?.rowId ?? -1n)?.id).toBe('r600');
    const whole = await connection.openTable(tableName.table);
    const stats = await whole.indexStats('context_idx');
    expect(stats).toMatchObject({ numUnindexedRows: 0 });
  });
});
