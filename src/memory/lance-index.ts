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
  /**
   * Looks at one version of each table; a write of this or another process changes nothing until
   * the work is done. One at a time.
   *
   * @param work gets the tables that there are, in the order of the layers
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
  // one reader after the other: the second would move the first to another version
  let reading: Promise<unknown> = Promise.resolve();
  const connect = (): Promise<Connection> => {
    connecting ??= connectTo(directory);
    return connecting;
  };
  /** Readers have a handle of their own, so that a write does not move them to another version. */
  const openTable = async (
    name: TableName,
    role: 'read' | 'change' | 'make',
  ): Promise<LanceTable> => {
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
    const opening = connect().then((connection) => openLanceTable(connection, name, { make }));
    open.set(key, opening);
    opening.catch(() => open.delete(key));
    return await opening;
  };
  const nameOf = (layer: MemoryLayer): TableName | undefined =>
    readTableNames(directory).find((found) => found.layer === layer);
  const named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw toMemoryError(thrown, directory);
    }
  };
  return {
    tables: () => readTableNames(directory),
    read: (layers, work) => {
      const result = reading.then(() =>
        named(async () => {
          const names = layers.map(nameOf).filter((name) => name !== undefined);
          return await work(await Promise.all(names.map((name) => openTable(name, 'read'))));
        }),
      );
      reading = result.catch(() => undefined); // the caller gets the error
      return result;
    },
    change: (layer, work) =>
      named(async () => {
        const name = nameOf(layer);
        return name === undefined ? undefined : await work(await openTable(name, 'change'));
      }),
    write: (layer, embedder, work) =>
      named(async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const name = claim(directory, layer, embedder);
        return await work(await openTable(name, 'make'));
      }),
    use: (name, options, work) =>
      named(async () => await work(await openTable(name, options.make ? 'make' : 'change'))),
    replace: (from, to) =>
      named(async () => {
        keepTableName(directory, to);
        for (const role of ['read', 'change', 'make']) open.delete(JSON.stringify([from, role]));
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
  // no interval of consistency: each use asks once for the newest version, and not each query of it
  return await connect(directory, {}, new Session(indexCacheBytes, metadataCacheBytes));
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
