import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { reasonOf } from '../contracts/error.ts';
import { makePrivate } from '../lib/sqlite/make-private.ts';
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
 * @throws where the copy cannot be written; the damaged file is as it was then
 */
export function repairStore(path: string, nowMs: number): RepairedStore {
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
