import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { KernelError } from '../contracts/error.ts';
import { freeBytes } from '../lib/files/folders.ts';
import {
  isSqliteError,
  makePrivate,
  mayNotBeWritten,
  toStoreError,
} from '../lib/sqlite/database-file.ts';
import { migrate } from './migrations.ts';

export type SqlValue = string | number | Uint8Array | null;

/** A database whose statements are prepared when first used; every error is a `KernelError`. */
export type Database = {
  readonly path: string;
  /** what each change throws, where the file or its folder cannot be written */
  readonly unwritable: KernelError | undefined;
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  /** the first column of each row */
  column<Value>(sql: string, ...values: SqlValue[]): Value[];
  /** the number that a statement of one row and column finds, else 0 */
  number(sql: string, ...values: SqlValue[]): number;
  /** @returns how many rows changed */
  run(sql: string, ...values: SqlValue[]): number;
  /** Takes the write lock at once, so that two processes wait instead of failing half-way. */
  transaction<T>(work: () => T): T;
  /** idempotent */
  close(): void;
  /**
   * A copy that accepts changes and loses them at the end, for a run's own rows when the file
   * cannot be written. Undefined where changes are kept.
   */
  readonly unkept?: Database;
};

/** How long a statement waits for another process's write. */
const busyTimeoutMs = 5_000;
/** The same once a wait was in vain: whoever holds the lock for so long may hold it for good. */
const impatientMs = 200;

/**
 * Opens or creates the file with mode 0600 (its folder with 0700) and brings it up to date. Where
 * it cannot be written, what it holds can still be read, and each change throws the reason.
 * The caller owns the result.
 *
 * @param path a file, or `:memory:`
 * @throws {KernelError} `unavailable` when it cannot be opened, is damaged or is of a newer format,
 *   `resource-exhausted` when the disk is full
 */
export function openDatabase(path: string): Database {
  const { connection, unwritable } = connectOrCopy(path);
  const use = <T>(work: () => T): T => {
    if (!connection.open) throw new KernelError('canceled', `the store ${path} was closed`);
    return translate(path, work, unwritable);
  };
  let isPatient = true;
  const waitPatiently = (wanted: boolean): void => {
    if (wanted === isPatient) return;
    isPatient = wanted;
    connection.pragma(`busy_timeout = ${wanted ? busyTimeoutMs : impatientMs}`);
  };
  /** Only changes: reads never wait, so they do not show whether the lock is free again. */
  const change = <T>(work: () => T): T =>
    use(() => {
      try {
        const done = work();
        waitPatiently(true);
        return done;
      } catch (thrown) {
        if (isSqliteError(thrown, 'SQLITE_BUSY')) waitPatiently(false);
        throw thrown;
      }
    });
  const prepared = new Map<string, BetterSqlite3.Statement>();
  const statement = (sql: string): BetterSqlite3.Statement => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = connection.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const database: Database = {
    path,
    unwritable,
    get: <Row>(sql: string, ...values: SqlValue[]) =>
      use(() => statement(sql).get(...values) as Row | undefined),
    all: <Row>(sql: string, ...values: SqlValue[]) =>
      use(() => statement(sql).all(...values) as Row[]),
    column: <Value>(sql: string, ...values: SqlValue[]) =>
      database
        .all<Record<string, Value>>(sql, ...values)
        .map((row) => Object.values(row)[0] as Value),
    number: (sql, ...values) => database.column<number>(sql, ...values)[0] ?? 0,
    run: (sql, ...values) => change(() => statement(sql).run(...values).changes),
    transaction: (work) => change(() => connection.transaction(work).immediate()),
    close: () => {
      connection.close();
    },
  };
  if (unwritable === undefined) return database;
  const inCopy = <T>(work: () => T): T => {
    connection.pragma('query_only = OFF');
    try {
      return work();
    } finally {
      connection.pragma('query_only = ON');
    }
  };
  const unkept: Database = {
    ...database,
    run: (sql, ...values) => inCopy(() => database.run(sql, ...values)),
    transaction: (work) => inCopy(() => database.transaction(work)),
  };
  return { ...database, unkept };
}

type Connection = {
  connection: BetterSqlite3.Database;
  /** why every change fails; the connection is to a copy then */
  unwritable?: KernelError;
};

function connectOrCopy(path: string): Connection {
  try {
    return { connection: connectWithRoom(path) };
  } catch (thrown) {
    const unwritable = toStoreError(thrown, path);
    // on a full disk there is no room for its log, and reading needs none
    const isFull = unwritable.code === 'resource-exhausted';
    if (!isFull && !mayNotBeWritten(path)) throw unwritable;
    try {
      return { connection: openCopy(path), unwritable };
    } catch {
      throw unwritable; // what the person has to mend is the file, not its copy
    }
  }
}

/** Bytes that the rows of one run may take in the log. */
const roomOfRun = 128 * 1024;

/** @throws where a run could not be written to its end */
function connectWithRoom(path: string): BetterSqlite3.Database {
  const isNew = path === ':memory:' || !existsSync(path);
  const connection = connect(path);
  if (isNew || (freeBytes(dirname(path)) ?? roomOfRun) >= roomOfRun) return connection;
  connection.close();
  throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
}

function connect(path: string): BetterSqlite3.Database {
  if (path !== ':memory:') makePrivate(path);
  const connection = new BetterSqlite3(path, { timeout: busyTimeoutMs });
  try {
    if (path !== ':memory:') useWriteAheadLog(connection);
    // NORMAL: a commit survives the death of the process; a power cut may lose the last ones, and
    // never damages the file.
    connection.pragma('synchronous = NORMAL');
    connection.pragma('foreign_keys = ON');
    // Overwrite deleted rows, as in the tables of memory.
    connection.pragma('secure_delete = ON');
    migrate(connection, path);
    return connection;
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}

/**
 * The mode is kept in the file, so only the first opening changes it. That change needs the file
 * for itself for a moment and does not wait for it (https://www.sqlite.org/wal.html), hence the
 * loop when several processes open a new file at once.
 */
function useWriteAheadLog(connection: BetterSqlite3.Database): void {
  const deadlineMs = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      if (connection.pragma('journal_mode', { simple: true }) === 'wal') return;
      connection.pragma('journal_mode = WAL');
      return;
    } catch (thrown) {
      if (!isSqliteError(thrown, 'SQLITE_BUSY') || performance.now() > deadlineMs) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function translate<T>(path: string, work: () => T, unwritable: KernelError | undefined): T {
  try {
    return work();
  } catch (thrown) {
    if (unwritable !== undefined && isSqliteError(thrown, 'SQLITE_READONLY')) throw unwritable;
    throw toStoreError(thrown, path);
  }
}

/** SQLite reads a negative limit as "all", so an invalid count is refused here. */
export function checkLimit(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new KernelError('invalid-argument', `limit is ${limit}, not a whole number from 0 on`);
}

type Present<Row> = {
  [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key];
} & { [Key in keyof Row as null extends Row[Key] ? Key : never]?: Exclude<Row[Key], null> };

/** A row without its columns that are null. */
export function present<Row extends object>(row: Row): Present<Row> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as Present<Row>;
}

/**
 * Adds a row. Undefined is stored as null, a boolean as 0 or 1. Rows that come by the thousand are
 * written by plain SQL instead, which takes half the time.
 *
 * @param row by its columns, whose names come from our own code and never from data
 * @param verb `INSERT OR REPLACE` puts it in the place of a row with the same key
 */
export function insertRow(
  database: Database,
  table: string,
  row: Readonly<Record<string, SqlValue | boolean | undefined>>,
  verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT',
): void {
  const columns = Object.keys(row);
  const places = columns.map(() => '?').join(', ');
  const values = Object.values(row).map((value) =>
    typeof value === 'boolean' ? Number(value) : (value ?? null),
  );
  database.run(`${verb} INTO ${table} (${columns.join(', ')}) VALUES (${places})`, ...values);
}

/**
 * A private copy of a database that cannot be written, for commands that only read: SQLite needs
 * files beside a database even to read it. Without a file the copy is empty. Every change fails
 * with `SQLITE_READONLY`. The caller owns the result.
 *
 * @throws when the file cannot be read, or there is no room for the copy
 */
export function openCopy(path: string): BetterSqlite3.Database {
  try {
    return copyIn(tmpdir(), path);
  } catch {
    // The disk that is full often holds the temporary folder, too.
    return copyIn('/dev/shm', path);
  }
}

function copyIn(parent: string, path: string): BetterSqlite3.Database {
  const folder = mkdtempSync(join(parent, 'cuervo-store-'));
  try {
    const copy = join(folder, 'cuervo.db');
    for (const end of ['', '-wal']) if (isThere(path + end)) copyPrivate(path + end, copy + end);
    const connection = new BetterSqlite3(copy);
    try {
      connection.pragma('journal_mode = MEMORY');
      migrate(connection, path);
      connection.pragma('query_only = ON');
      return connection;
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  } finally {
    // An open file can be read without its name, and a process that is killed leaves none.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws where it cannot be known, as in a folder of another user */
function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function copyPrivate(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}
