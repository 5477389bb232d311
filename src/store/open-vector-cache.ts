import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { VectorCache } from '../contracts/embedder.ts';
import { makePrivate } from '../lib/sqlite/database-file.ts';

/** Vectors of some 150,000 texts, or states of the tokens of some 15,000 turns. */
const defaultMaxBytes = 256 * 1024 * 1024;
const busyTimeoutMs = 1_000;
/** Rows checked between two puts; a count over all rows would cost more than it saves. */
const sweepEvery = 64;

/**
 * A cache in its own file, mode 0600. Several processes may have it open. Above `maxBytes` the
 * oldest quarter is deleted. A damaged file is replaced; if no file can be written, nothing is
 * kept. The caller owns the result.
 */
export function openVectorCache(
  path: string,
  options: { maxBytes?: number } = {},
): VectorCache & Disposable & { clear(): void } {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  let database = openAt(path) ?? openAt(path, true);
  let puts = 0;
  const attempt = <Value>(work: (open: Database.Database) => Value, otherwise: Value): Value => {
    if (database === undefined) return otherwise;
    try {
      return work(database);
    } catch (thrown) {
      // Another process has it locked, or the disk is full: missing entries are computed again.
      if (!isDamaged(thrown)) return otherwise;
      database.close();
      database = openAt(path, true);
      return otherwise;
    }
  };
  const clear = (): void =>
    attempt((open) => {
      open.exec('DELETE FROM vectors');
      open.exec('VACUUM');
    }, undefined);
  return {
    get: (space, keys) =>
      attempt(
        (open) => {
          const find = open
            .prepare('SELECT value FROM vectors WHERE space = ? AND key = ?')
            .pluck();
          return keys.map((key) => find.get(space, key) as Buffer | undefined);
        },
        keys.map(() => undefined),
      ),
    put: (space, entries) =>
      attempt((open) => {
        const insert = open.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)');
        open.transaction(() => {
          for (const { key, value } of entries) insert.run(space, key, Buffer.from(value));
        })();
        puts += 1;
        if (puts % sweepEvery === 1) sweep(open, maxBytes);
      }, undefined),
    clear,
    [Symbol.dispose]: () => {
      database?.close();
      database = undefined;
    },
  };
}

function openAt(path: string, anew = false): Database.Database | undefined {
  try {
    if (anew) for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    makePrivate(path);
    const database = new Database(path, { timeout: busyTimeoutMs });
    try {
      database.pragma('journal_mode = WAL');
      // Entries lost in a crash are computed again.
      database.pragma('synchronous = OFF');
      // Forgotten text must not remain in the file.
      database.pragma('secure_delete = ON');
      database.exec(
        'CREATE TABLE IF NOT EXISTS vectors (space TEXT, key TEXT, value BLOB, PRIMARY KEY (space, key))',
      );
      return database;
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  } catch {
    return undefined; // a cache that cannot be opened is an empty one
  }
}

function sweep(open: Database.Database, maxBytes: number): void {
  const pages = Number(open.pragma('page_count', { simple: true }));
  const free = Number(open.pragma('freelist_count', { simple: true }));
  const size = Number(open.pragma('page_size', { simple: true }));
  if ((pages - free) * size <= maxBytes) return;
  open.exec(
    'DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY rowid LIMIT (SELECT COUNT(*) / 4 + 1 FROM vectors))',
  );
}

function isDamaged(thrown: unknown): boolean {
  const { code } = thrown as { code?: unknown };
  return code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB';
}
