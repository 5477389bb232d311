import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@lancedb/lancedb';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import { type MemoryLayer, memoryLayers } from '../../contracts/memory.ts';
import type { MemoryJournal } from '../../contracts/memory-store.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { keepTableName, readTableNames, type TableName, versionHint } from './lance-table.ts';

export type TablePlace = {
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

const maxReasonCharacters = 160;

/**
 * What LanceDB threw, as one sentence that names the folder. Its messages carry causes of causes
 * and source lines of its own; the first words are what a person can use.
 */
export function toMemoryError(thrown: unknown, directory: string): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const message = reasonOf(thrown);
  if (/No space left|StorageFull|code: 28\b|File too large|code: 27\b/i.test(message)) {
    return new KernelError(
      'resource-exhausted',
      `the memory in ${directory} cannot grow: the disk is full`,
      {
        cause: thrown,
        hint: 'free some space; what was remembered is safe in cuervo.db and moves over later',
      },
    );
  }
  if (/Permission denied|PermissionDenied|EACCES|Read-only file system|EROFS/i.test(message)) {
    return new KernelError(
      'unavailable',
      `the memory in ${directory} is not accessible to this user`,
      {
        cause: thrown,
        hint: 'make the folder readable and writable, or set CUERVO_HOME to a folder that is',
      },
    );
  }
  if (/timeout after|timed out/i.test(message)) {
    return new KernelError('unavailable', `the memory in ${directory} did not answer in time`, {
      cause: thrown,
      hint: 'Try again when the machine is less busy; nothing is damaged.',
    });
  }
  const reason = message
    .split(/\n|, \/|\s+Caused by/)[0]!
    .trim()
    .slice(0, maxReasonCharacters);
  return new KernelError('unavailable', `the memory in ${directory} cannot be used: ${reason}`, {
    cause: thrown,
    hint: 'rebuild the tables from cuervo.db: cuervo memory rebuild',
  });
}

/** Why a table still holds bytes of removed rows: a sweep removed them, or a person forgot them. */
export type WipeMark = 'removed' | 'forgotten';

const fileName = 'removed.json';

/**
 * Layers whose tables still hold bytes of removed rows, kept in `removed.json` of the folder of
 * memory.
 *
 * @returns undefined where there is no file; every layer as forgotten where the file is damaged
 */
export function readWipeMarks(directory: string): Map<MemoryLayer, WipeMark> | undefined {
  const path = join(directory, fileName);
  if (!existsSync(path)) return undefined;
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const layers = memoryLayers.filter((layer) => kept[layer] !== undefined);
    return new Map(
      layers.map((layer) => [layer, kept[layer] === 'removed' ? 'removed' : 'forgotten']),
    );
  } catch {
    return new Map(memoryLayers.map((layer) => [layer, 'forgotten']));
  }
}

/** Call it before the rows are removed, as the holder of the write lock. */
export function addWipeMark(directory: string, layer: MemoryLayer, mark: WipeMark): void {
  const marks = readWipeMarks(directory) ?? uncounted();
  const known = marks.get(layer);
  if (known === mark || known === 'forgotten') return;
  write(directory, marks.set(layer, mark));
}

/** Call it when the bytes are gone, as the holder of the write lock. */
export function dropWipeMark(directory: string, layer: MemoryLayer): void {
  const marks = readWipeMarks(directory) ?? uncounted();
  marks.delete(layer);
  write(directory, marks);
}

/** All layers, for a folder without a file: each table may hold such bytes. */
function uncounted(): Map<MemoryLayer, WipeMark> {
  return new Map(memoryLayers.map((layer) => [layer, 'removed']));
}

function write(directory: string, marks: ReadonlyMap<string, string>): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileWhole(join(directory, fileName), `${JSON.stringify(Object.fromEntries(marks))}\n`);
}

const patienceMs = 30_000;
const pollMs = 20;

/**
 * Runs the work as the one writer among all processes.
 *
 * @throws {KernelError} `unavailable` when another writer does not end within 30 s
 */
export async function withWriteLock<T>(
  journal: Pick<MemoryJournal, 'tryLock'>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    using lock = journal.tryLock();
    if (lock !== undefined) return await work();
    if (performance.now() > untilMs) {
      throw new KernelError('unavailable', 'another process keeps writing to memory', {
        hint: 'Try again when it has ended.',
      });
    }
    await sleep(pollMs);
  }
}
