import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { migrate } from './migrations.ts';

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
