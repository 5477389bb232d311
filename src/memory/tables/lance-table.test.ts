import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import * as arrow from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { openLanceIndex, openLanceTable } from './lance-index.ts';
import { lanceSchema } from './lance-schema.ts';
import { plainDimensions } from './lance-table.ts';
import { localPlace } from './table-place.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-table-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const name = { layer: 'interact', table: 'interact', embedder: '', dimensions: plainDimensions };
const row = (id: string, text: string) => ({
  id,
  record: {
    ...{ layer: 'interact' as const, text, context: text, kind: 'note', tags: ['t'] },
    ...{ project: '/p', ts: 1 },
  },
});

describe('openLanceTable()', () => {
  it('goes on with a table whose ids were not a key to LanceDB yet', async () => {
    const connection = await connect(join(folder, 'old'));
    const plain = lanceSchema(arrow, plainDimensions).fields.map(
      (field) => new arrow.Field(field.name, field.type, field.nullable),
    );
    const old = await connection.createEmptyTable('interact', new arrow.Schema(plain));
    expect((await old.schema()).fields[0]?.metadata.size).toBe(0);
    old.close();
    using table = await openLanceTable(connection, { ...name, layer: 'interact' }, { make: true });
    await table.append([row('1', 'blue buttons')]);
    await table.write([row('1', 'red buttons'), row('2', 'links')]);
    await table.refresh();
    expect(await table.countRows()).toBe(2);
    const found = await table.searchWords('red', undefined, 5);
    const marks = await table.marks(found);
    expect([...marks.values()]).toEqual([{ id: '1', ts: 1, isKept: true }]);
  });

  it('leaves a table of other columns alone', async () => {
    const connection = await connect(join(folder, 'foreign'));
    const foreign = await connection.createTable('interact', [{ id: 1, words: 'of others' }]);
    const opening = openLanceTable(connection, { ...name, layer: 'interact' }, { make: true });
    await expect(opening).rejects.toThrow(/schema/i);
    expect(await foreign.countRows()).toBe(1);
  });
});

it('openLanceIndex() asks a place once for the tables of all layers', async () => {
  const place = localPlace(join(folder, 'asked'));
  let asked = 0;
  const names = () => {
    asked += 1;
    return place.names();
  };
  using index = openLanceIndex({ ...place, names });
  for (const layer of ['interact', 'assets'] as const) {
    await index.write(layer, undefined, (table) => table.append([row('1', layer)]));
  }
  asked = 0;
  expect((await index.tables()).map(({ layer }) => layer)).toEqual(['interact', 'assets']);
  expect(asked).toBe(1);
  const read = await index.read(['assets', 'interact'], async (tables) =>
    tables.map(({ name: { layer } }) => layer),
  );
  expect([read, asked]).toEqual([['assets', 'interact'], 2]);
});
