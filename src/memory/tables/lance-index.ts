import type { Connection, Table } from '@lancedb/lancedb';
import type { Schema } from 'apache-arrow';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { type MemoryLayer, memoryLayers } from '../../contracts/memory.ts';
import { createLanceIndices } from './lance-indices.ts';
import { createLanceQueries } from './lance-queries.ts';
import { lanceSchema, loadArrow, toLanceRow } from './lance-schema.ts';
import {
  type LanceTable,
  plainDimensions,
  type TableName,
  type WrittenRow,
} from './lance-table.ts';
import type { TablePlace } from './table-place.ts';

/** The tables of all layers. Only the holder of the write lock may write. */
export type LanceIndex = Disposable & {
  /** Layers that have a table. For tables of this machine LanceDB is not loaded. */
  tables(layers?: readonly MemoryLayer[]): Promise<TableName[]>;
  /** Whether other machines write there, too. */
  isShared(layer: MemoryLayer): boolean;
  /**
   * Looks at one version of each table; a write of this or another process changes nothing until
   * the work is done. One at a time.
   *
   * @param work gets the tables that there are, in the order of the layers; done once more when a
   *   version was wiped off the disk under it
   */
  read<T>(layers: readonly MemoryLayer[], work: (tables: LanceTable[]) => Promise<T>): Promise<T>;
  /** @returns undefined where the layer has no table */
  change<T>(layer: MemoryLayer, work: (table: LanceTable) => Promise<T>): Promise<T | undefined>;
  /**
   * Makes the table where there is none.
   *
   * @throws {KernelError} `conflict` when the table holds vectors of another embedder
   */
  write<T>(
    layer: MemoryLayer,
    embedder: { name: string; dimensions: number } | undefined,
    work: (table: LanceTable) => Promise<T>,
  ): Promise<T>;
  /** A table by its name, whichever serves the layer. */
  use<T>(
    name: TableName,
    options: { make: boolean },
    work: (table: LanceTable) => Promise<T>,
  ): Promise<T>;
  /** From now on `to` serves the layer; the old table is removed from the disk. */
  replace(from: TableName, to: TableName): Promise<void>;
  /** Takes the table of a layer of this machine off the disk, whatever state it is in. */
  drop(layer: MemoryLayer): Promise<void>;
  /** Call it after a piece of work that wrote: other machines may write again. */
  endWriting(): Promise<void>;
};

/** Layers whose tables machines may share; turns stay where they were said. */
const sharedLayers: readonly MemoryLayer[] = ['insights', 'assets'];

/**
 * LanceDB is loaded by the first use of an existing table or the first write, not before. Takes
 * ownership of the places. The caller owns the result.
 *
 * @param shared holds `insights` and `assets` where it is given
 * @throws {KernelError} every method: `unavailable` when the files cannot be read or written,
 *   `resource-exhausted` when the disk is full
 */
export function openLanceIndex(local: TablePlace, shared?: TablePlace): LanceIndex {
  const places = shared === undefined ? [local] : [local, shared];
  const placeOf = (layer: MemoryLayer): TablePlace =>
    shared !== undefined && sharedLayers.includes(layer) ? shared : local;
  const open = new Map<string, Promise<LanceTable>>();
  // Readers take turns: a second one would move the first to another version.
  let reading: Promise<unknown> = Promise.resolve();
  /** Readers have a handle of their own, so that a write does not move them to another version. */
  const openTable = async (
    name: TableName,
    role: 'read' | 'change' | 'make',
  ): Promise<LanceTable> => {
    const place = placeOf(name.layer);
    const key = JSON.stringify([name, role]);
    const known = open.get(key);
    if (known !== undefined) {
      try {
        const table = await known;
        await table.refresh();
        return table;
      } catch {
        // gone, replaced or damaged: what is there now is opened anew, or says why it cannot be
        open.delete(key);
      }
    }
    const make = role === 'make';
    const written = place.writtenVersion(name.table);
    const opening = place
      .connect()
      .then((connection) => openLanceTable(connection, name, { make }))
      .then((table) => checkVersion(table, written));
    open.set(key, opening);
    opening.catch(() => {
      open.delete(key);
      place.forget();
    });
    return await opening;
  };
  /** Errors name the place of the layer that the work is about. */
  const at = async <T>(layer: MemoryLayer, work: (place: TablePlace) => Promise<T>): Promise<T> => {
    const place = placeOf(layer);
    try {
      return await work(place);
    } catch (thrown) {
      throw place.toError(thrown);
    }
  };
  /** In the order of the layers; each place is asked once. */
  const namesOf = async (layers: readonly MemoryLayer[]): Promise<TableName[]> => {
    const asked = new Map<TablePlace, Promise<TableName[]>>();
    const names = layers.map((layer) =>
      at(layer, async (place) => {
        const there = asked.get(place) ?? place.names();
        asked.set(place, there);
        return (await there).find((found) => found.layer === layer);
      }),
    );
    return (await Promise.all(names)).filter((name) => name !== undefined);
  };
  /** In a shared place only opening shows whether a machine died while making the table. */
  const openIfMade = async (
    name: TableName,
    role: 'read' | 'change',
  ): Promise<LanceTable | undefined> => {
    try {
      return await openTable(name, role);
    } catch (thrown) {
      if (placeOf(name.layer).isShared && isUnmade(thrown)) return undefined;
      throw thrown;
    }
  };
  const writing = <T>(layer: MemoryLayer, work: (place: TablePlace) => Promise<T>): Promise<T> =>
    at(layer, async (place) => {
      await place.beWriter();
      return await work(place);
    });
  return {
    tables: (layers = memoryLayers) => namesOf(layers),
    isShared: (layer) => placeOf(layer).isShared,
    read: (layers, work) => {
      const readOnce = async () => {
        const names = await namesOf(layers);
        const tables = names.map((name) => at(name.layer, () => openIfMade(name, 'read')));
        const found = (await Promise.all(tables)).filter((table) => table !== undefined);
        const named = found.find(({ name }) => placeOf(name.layer).isShared) ?? found[0];
        // If there are several places, name the shared one: a network fails more often than a disk.
        return await at(named?.name.layer ?? 'interact', () => work(found));
      };
      const result = reading.then(async () => {
        try {
          return await readOnce();
        } catch (thrown) {
          // Somebody wiped this version off the disk, so there is a newer one.
          if (!isGone(thrown)) throw thrown;
          return await readOnce();
        }
      });
      reading = result.catch(() => undefined); // the caller gets the error
      return result;
    },
    change: async (layer, work) => {
      const [name] = await namesOf([layer]);
      if (name === undefined) return undefined;
      return await writing(layer, async () => {
        const table = await openIfMade(name, 'change');
        return table && (await work(table));
      });
    },
    write: (layer, embedder, work) =>
      writing(layer, async (place) => {
        const name = await claim(place, layer, embedder);
        return await work(await openTable(name, 'make'));
      }),
    use: (name, options, work) =>
      writing(
        name.layer,
        async () => await work(await openTable(name, options.make ? 'make' : 'change')),
      ),
    replace: (from, to) =>
      writing(from.layer, async (place) => {
        await place.keepName(to);
        for (const role of ['read', 'change', 'make']) open.delete(JSON.stringify([from, role]));
        await place.drop(from.table);
      }),
    drop: async (layer) => {
      const place = placeOf(layer);
      if (place.isShared) return;
      for (const [key, table] of open) {
        if ((JSON.parse(key) as [TableName, string])[0].layer !== layer) continue;
        open.delete(key);
        await table.then((each) => each[Symbol.dispose]()).catch(() => {});
      }
      await place.remove(layer);
    },
    endWriting: async () => {
      // A lease that cannot be released ends by itself.
      for (const place of places) await place.endWriting().catch(() => {});
    },
    [Symbol.dispose]: () => {
      const tables = [...open.values()];
      open.clear();
      for (const table of tables) table.then((each) => each[Symbol.dispose]()).catch(() => {});
      for (const place of places) place.close();
    },
  };
}

/**
 * LanceDB takes the newest version that it finds. If the file of a newer one is gone, the last
 * writes would be missing without a word.
 */
async function checkVersion(table: LanceTable, written: number): Promise<LanceTable> {
  const version = await table.version();
  if (version >= written) return table;
  table[Symbol.dispose]();
  throw new KernelError(
    'unavailable',
    `the file of version ${written} of the table ${table.name.table} is gone, the newest is ${version}`,
    { hint: 'rebuild the tables from cuervo.db: cuervo memory rebuild' },
  );
}

/** LanceDB's message for a folder without a version. */
function isUnmade(thrown: unknown): boolean {
  return /^Table '[^']+' was not found\b/.test(reasonOf(thrown));
}

/** LanceDB's message for a missing file. */
function isGone(thrown: unknown): boolean {
  const cause = thrown instanceof KernelError ? thrown.cause : thrown;
  return cause instanceof Error && /\bNot found: /.test(cause.message);
}

/** The layer's table; it becomes this embedder's if it has none yet, and throws for another's. */
async function claim(
  place: TablePlace,
  layer: MemoryLayer,
  embedder: { name: string; dimensions: number } | undefined,
): Promise<TableName> {
  const found = (await place.names()).find((name) => name.layer === layer);
  if (embedder === undefined) {
    if (found !== undefined) return found;
    const plain = { layer, table: layer, embedder: '', dimensions: plainDimensions };
    await place.keepName(plain);
    return plain;
  }
  const { name, dimensions } = embedder;
  if (found?.embedder === name && found.dimensions === dimensions) return found;
  const isFree = found === undefined || found.embedder === '';
  if (!isFree || (found !== undefined && found.dimensions !== dimensions)) {
    throw mixed(found, embedder);
  }
  const claimed = { layer, table: found?.table ?? layer, embedder: name, dimensions };
  await place.keepName(claimed);
  return claimed;
}

/** The error for a table whose vectors are another embedder's. */
export function mixed(
  table: TableName,
  embedder: { name: string; dimensions: number },
): KernelError {
  const own = table.embedder === '' ? 'no embedder' : table.embedder;
  return new KernelError(
    'conflict',
    `the memory layer "${table.layer}" holds vectors of ${own} (${table.dimensions} dimensions), but ${embedder.name} makes others (${embedder.dimensions})`,
    { hint: 'Compute them with one embedder: cuervo memory reembed' },
  );
}

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
