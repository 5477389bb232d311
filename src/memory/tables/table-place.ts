import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '@lancedb/lancedb';
import { KernelError } from '../../contracts/error.ts';
import type { MemoryLayer } from '../../contracts/memory.ts';
import { toMemoryError } from '../memory-error.ts';
import { keepTableName, readTableNames, type TableName, versionHint } from './table-names.ts';

export type TablePlace = {
  /** as messages name it */
  readonly shown: string;
  readonly isShared: boolean;
  connect(): Promise<Connection>;
  /** Names of the tables that are there, whichever layers they serve. */
  names(): Promise<TableName[]>;
  /** The newest version of a table that was written; 0 where nothing tells. */
  writtenVersion(table: string): number;
  /** Only the one writer may. */
  keepName(name: TableName): Promise<void>;
  /**
   * Deletes a layer's tables from the disk without opening them. Only for tables of this machine.
   */
  remove(layer: MemoryLayer): Promise<void>;
  /** Takes a table off the disk that serves no layer any more. */
  drop(table: string): Promise<void>;
  /** Call it before each write: it becomes the one writer among machines. */
  beWriter(): Promise<void>;
  /** Call it after the last write of a piece of work; it releases what `beWriter` took. */
  endWriting(): Promise<void>;
  /** Drops knowledge of the tables, which may be wrong. */
  forget(): void;
  toError(thrown: unknown): KernelError;
  close(): void;
};

// LanceDB's own defaults are 6 GB and 1 GB; the index of 5,000 turns is about 2 MB
const indexCacheBytes = 64n << 20n;
const metadataCacheBytes = 16n << 20n;

/**
 * A folder of this machine. LanceDB is loaded by the first connection.
 *
 * @param prepare called before each connection is made
 */
export function localPlace(directory: string, prepare?: () => void): TablePlace {
  const { connect, close } = connectOnce(directory, {}, prepare);
  const dropped = join(directory, 'dropped');
  /** Renames before it deletes: a process that dies in between leaves a whole table or none. */
  const drop = async (table: string): Promise<void> => {
    const folder = `${table}.lance`;
    await mkdir(dropped, { recursive: true, mode: 0o700 });
    await rename(join(directory, folder), join(dropped, `${folder}-${randomUUID()}`));
    // Reconnect: a new table starts with the same version numbers as the dropped one.
    close();
    await sweep();
  };
  const sweep = (): Promise<void> => rm(dropped, { recursive: true, force: true });
  let swept: Promise<void> | undefined;
  return {
    shown: directory,
    isShared: false,
    connect,
    names: async () => readTableNames(directory),
    writtenVersion: (table) => {
      const hint = join(directory, `${table}.lance`, versionHint);
      try {
        return Number(JSON.parse(readFileSync(hint, 'utf8')).version) || 0;
      } catch {
        return 0; // LanceDB looks at the names of the versions alone
      }
    },
    keepName: async (name) => keepTableName(directory, name),
    remove: async (layer) => {
      try {
        readTableNames(directory);
      } catch {
        // it does not name its tables, so all of them are removed
        await rm(join(directory, 'tables.json'), { force: true });
      }
      const isOfLayer = (name: string) =>
        name === `${layer}.lance` || (name.startsWith(`${layer}-`) && name.endsWith('.lance'));
      for (const name of await readdir(directory).catch(() => [])) {
        if (isOfLayer(name)) await drop(name.slice(0, -'.lance'.length));
      }
    },
    drop,
    beWriter: async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Delete what an interrupted process left. If that fails, the next write tries again.
      swept ??= sweep().catch(() => {
        swept = undefined;
      });
      await swept;
    },
    endWriting: async () => {},
    forget: () => {},
    toError: (thrown) => toMemoryError(thrown, directory),
    close,
  };
}

/** The connection of a place, made when it is first asked for. */
export function connectOnce(
  uri: string,
  storageOptions: Readonly<Record<string, string>>,
  prepare?: () => void,
): { connect(): Promise<Connection>; close(): void } {
  let connecting: Promise<Connection> | undefined;
  return {
    connect: () => {
      if (connecting === undefined) prepare?.();
      connecting ??= connectTo(uri, storageOptions).catch((thrown: unknown) => {
        // the next use tries again
        connecting = undefined;
        throw thrown;
      });
      return connecting;
    },
    close: () => {
      connecting?.then((connection) => connection.close()).catch(() => {});
      connecting = undefined;
    },
  };
}

async function connectTo(
  uri: string,
  storageOptions: Readonly<Record<string, string>>,
): Promise<Connection> {
  const { connect, Session } = await loadTables();
  // No `readConsistencyInterval`: each use asks once for the newest version, not each query.
  const session = new Session(indexCacheBytes, metadataCacheBytes);
  return await connect(uri, { storageOptions: { ...storageOptions } }, session);
}

/** The tables are native code, which package managers leave out on some systems. */
async function loadTables(): Promise<typeof import('@lancedb/lancedb')> {
  try {
    return await import('@lancedb/lancedb');
  } catch (thrown) {
    const system = `${process.platform}-${process.arch}`;
    const message = `the native code of the memory tables for ${system} is not installed`;
    const hint = 'Install cuervo again with optional packages (npm: --include=optional).';
    throw new KernelError('unavailable', message, { cause: thrown, hint });
  }
}
