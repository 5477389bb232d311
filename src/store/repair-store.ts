import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { KernelError, reasonOf } from '../contracts/error.ts';
import { isSqliteError, makePrivate, tryLock } from '../lib/sqlite/database-file.ts';
import { formatVersion, migrate } from './migrations.ts';

export type RepairedStore = {
  /** the damaged file, byte for byte */
  copy: string;
  rows: number;
  /** tables of which not every row could be read */
  cut: { table: string; reason: string }[];
};

/**
 * Makes a whole database of what can be read of a damaged one, whose bytes are kept under another
 * name first. Events keep what proves them, so that a missing one shows.
 *
 * @returns undefined where another process repaired it meanwhile
 * @throws where the copy cannot be written; the damaged file is as it was then
 * @throws {KernelError} `conflict` where another process repairs it now
 */
export function repairStore(path: string, nowMs: number): RepairedStore | undefined {
  const lock = `${path}-repair`;
  using held = tryLock(lock);
  if (held === undefined)
    throw new KernelError('conflict', `another process repairs ${path} now`, {
      hint: 'See what came of it with: cuervo doctor',
    });
  try {
    return isDamaged(path, Number.POSITIVE_INFINITY) === false ? undefined : repair(path, nowMs);
  } finally {
    rmSync(lock, { force: true });
  }
}

function repair(path: string, nowMs: number): RepairedStore {
  const copy = `${path}.damaged-${nowMs}`;
  for (const end of ['', '-wal']) {
    if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  }
  const made = `${path}.repaired`;
  removeAll(made);
  makePrivate(made);
  const target = new BetterSqlite3(made);
  let repaired: RepairedStore;
  try {
    repaired = { copy, ...salvage(path, target) };
  } finally {
    target.close();
  }
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  renameSync(made, path);
  removeAll(made);
  return repaired;
}

function salvage(
  path: string,
  target: BetterSqlite3.Database,
): Pick<RepairedStore, 'rows' | 'cut'> {
  let source: BetterSqlite3.Database | undefined;
  const cut: RepairedStore['cut'] = [];
  let rows = 0;
  try {
    source = new BetterSqlite3(path, { readonly: true });
    const format = Number(source.pragma('user_version', { simple: true }));
    migrate(target, path, Math.min(format, formatVersion));
  } catch (thrown) {
    // Without its first page nothing of it can be read.
    source?.close();
    migrate(target, path);
    return { rows, cut: [{ table: 'the tables', reason: reasonOf(thrown) }] };
  }
  target.pragma('foreign_keys = OFF');
  const tables = target
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  for (const table of tables) {
    target.exec('BEGIN');
    try {
      const write = writerOf(target, table);
      // In the order of the disk: a broken index is not read.
      for (const row of source.prepare(`SELECT * FROM "${table}"`).raw().iterate())
        rows += write(row as unknown[]);
    } catch (thrown) {
      cut.push({ table, reason: reasonOf(thrown) });
    } finally {
      target.exec('COMMIT');
    }
  }
  source.close();
  migrate(target, path);
  return { rows, cut };
}

/** @returns what writes a row, and says how many rows that made */
function writerOf(target: BetterSqlite3.Database, table: string): (row: unknown[]) => number {
  const { length } = target.prepare(`SELECT * FROM "${table}"`).columns();
  const places = Array.from({ length }, () => '?').join(', ');
  const statement = target.prepare(`INSERT OR IGNORE INTO "${table}" VALUES (${places})`);
  return (row) => statement.run(...row).changes;
}

function removeAll(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}

/** A larger file is not checked: this much takes less than a second. */
export const maxCheckedBytes = 64 * 1024 * 1024;

/** Bytes of the header of every database; https://www.sqlite.org/fileformat.html#the_database_header */
const headerBytes = 100;

/**
 * Checks a database; changes nothing and creates nothing.
 *
 * @returns undefined when it was not checked: it is too large, or locked
 */
export function isDamaged(path: string, maxBytes = maxCheckedBytes): boolean | undefined {
  const { size } = statSync(path);
  if (size > maxBytes) return undefined;
  // SQLite takes an empty file for a new database.
  if (size === 0) return false;
  if (size < headerBytes) return true;
  try {
    const connection = open(path);
    try {
      return connection.pragma('quick_check(1)', { simple: true }) !== 'ok';
    } finally {
      connection.close();
    }
  } catch (thrown) {
    if (isSqliteError(thrown, 'SQLITE_CORRUPT') || isSqliteError(thrown, 'SQLITE_NOTADB'))
      return true;
    if (isSqliteError(thrown)) return undefined;
    throw thrown;
  }
}

/** Layers of memory whose tables must hold rows, by a look that changes and creates nothing. */
export function layersInTables(path: string): Set<string> {
  const connection = open(path);
  try {
    const rows = connection
      .prepare('SELECT DISTINCT layer FROM memory_rows WHERE id NOT IN (SELECT id FROM memory_wal)')
      .all() as { layer: string }[];
    return new Set(rows.map(({ layer }) => layer));
  } finally {
    connection.close();
  }
}

/**
 * Opening a file creates a log beside it, and opening it read-only leaves that log there. So this
 * opens a copy in memory. With a log, the file alone is not the whole database.
 */
function open(path: string): BetterSqlite3.Database {
  const hasLog = (): boolean => existsSync(`${path}-wal`);
  const bytes = hasLog() ? undefined : readFileSync(path);
  // A log that appeared during the read: the copy may hold half of a change.
  if (bytes === undefined || hasLog()) return new BetterSqlite3(path, { readonly: true });
  // Read and write version 1, that of a file without a log, which memory has none of:
  // https://www.sqlite.org/fileformat.html#file_format_version_numbers
  bytes.fill(1, 18, 20);
  return new BetterSqlite3(bytes);
}
