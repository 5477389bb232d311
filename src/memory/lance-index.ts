import { mkdir } from 'node:fs/promises';
import type { Connection } from '@lancedb/lancedb';
import { KernelError } from '../contracts/error.ts';
import type { MemoryLayer } from '../contracts/memory.ts';
import { type LanceTable, openLanceTable } from './lance-table.ts';
import { toMemoryError } from './memory-error.ts';
import { keepTableName, plainDimensions, readTableNames, type TableName } from './table-names.ts';

/** The tables of a LanceDB directory. Only the holder of the write lock may write. */
export type LanceIndex = Disposable & {
  /** Layers that have a table; LanceDB is not loaded to know. */
  tables(): TableName[];
  /** @returns undefined where the layer has no table */
  read<T>(layer: MemoryLayer, work: (table: LanceTable) => Promise<T>): Promise<T | undefined>;
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
  /** From now on `to` serves the layer; the old table is taken off the disk. */
  replace(from: TableName, to: TableName): Promise<void>;
};

// LanceDB's own defaults are 6 GB and 1 GB; the index of 5,000 turns is about 2 MB
const indexCacheBytes = 64n << 20n;
const metadataCacheBytes = 16n << 20n;

/**
 * LanceDB is loaded by the first use of an existing table or the first write, not before. The
 * caller owns the result.
 *
 * @throws {KernelError} every method: `unavailable` when the files cannot be read or written,
 *   `resource-exhausted` when the disk is full
 */
export function openLanceIndex(directory: string): LanceIndex {
  let connecting: Promise<Connection> | undefined;
  const open = new Map<string, Promise<LanceTable>>();
  const connect = (): Promise<Connection> => {
    connecting ??= connectTo(directory);
    return connecting;
  };
  const openTable = async (name: TableName, make: boolean): Promise<LanceTable> => {
    const key = JSON.stringify(name);
    const known = open.get(key);
    // made again even when it was opened before: its index may be missing
    if (known !== undefined && !make) return await known;
    const opening = connect().then((connection) => openLanceTable(connection, name, { make }));
    open.set(key, opening);
    try {
      return await opening;
    } catch (thrown) {
      open.delete(key);
      throw thrown;
    } finally {
      (await known)?.[Symbol.dispose]();
    }
  };
  const named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw toMemoryError(thrown, directory);
    }
  };
  return {
    tables: () => readTableNames(directory),
    read: (layer, work) =>
      named(async () => {
        const name = readTableNames(directory).find((found) => found.layer === layer);
        return name === undefined ? undefined : await work(await openTable(name, false));
      }),
    write: (layer, embedder, work) =>
      named(async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const name = claim(directory, layer, embedder);
        return await work(await openTable(name, true));
      }),
    use: (name, options, work) =>
      named(async () => await work(await openTable(name, options.make))),
    replace: (from, to) =>
      named(async () => {
        keepTableName(directory, to);
        open.delete(JSON.stringify(from));
        await (await connect()).dropTable(from.table);
      }),
    [Symbol.dispose]: () => {
      const tables = [...open.values()];
      open.clear();
      for (const table of tables) table.then((opened) => opened[Symbol.dispose]()).catch(() => {});
      connecting?.then((connection) => connection.close()).catch(() => {});
      connecting = undefined;
    },
  };
}

async function connectTo(directory: string): Promise<Connection> {
  const { connect, Session } = await import('@lancedb/lancedb');
  // 0: every read sees what other processes have written
  const options = { readConsistencyInterval: 0 };
  return await connect(directory, options, new Session(indexCacheBytes, metadataCacheBytes));
}

/** The layer's table as the embedder's own, if it is free or his already. */
function claim(
  directory: string,
  layer: MemoryLayer,
  embedder: { name: string; dimensions: number } | undefined,
): TableName {
  const found = readTableNames(directory).find((name) => name.layer === layer);
  if (embedder === undefined) {
    return found ?? { layer, table: layer, embedder: '', dimensions: plainDimensions };
  }
  const { name, dimensions } = embedder;
  if (found?.embedder === name && found.dimensions === dimensions) return found;
  const isFree = found === undefined || found.embedder === '';
  if (!isFree || (found !== undefined && found.dimensions !== dimensions)) {
    throw mixed(found, embedder);
  }
  const claimed = { layer, table: found?.table ?? layer, embedder: name, dimensions };
  keepTableName(directory, claimed);
  return claimed;
}

/** The table of one embedder and another that would have to be compared with it. */
export function mixed(
  table: TableName,
  embedder: { name: string; dimensions: number },
): KernelError {
  const own = table.embedder === '' ? 'no embedder' : table.embedder;
  return new KernelError(
    'conflict',
    `the memory layer "${table.layer}" holds vectors of ${own} (${table.dimensions} dimensions), and ${embedder.name} makes others (${embedder.dimensions})`,
    { hint: 'Bring them to one embedder: cuervo memory reembed' },
  );
}
