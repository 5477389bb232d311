import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { makePrivate } from './make-private.ts';
import { isSqliteError, toStoreError } from './store-error.ts';

/**
 * A lock between processes, held as an exclusive transaction on a file of its own. The operating
 * system ends it with the process, so nothing is left behind by a crash and nothing expires under
 * a holder that is only slow. The holder may remove the file before it lets go. The caller owns
 * the result.
 *
 * @param path file made for this lock alone
 * @returns undefined when another holder has it
 */
export function tryLock(path: string): Disposable | undefined {
  for (let tries = 1; ; tries += 1) {
    const held = tryOnce(path, tries === maxTries);
    if (held !== 'removed') return held;
  }
}

const maxTries = 100;

/** @param isLast takes it as it is, as on file systems that number a file anew each time */
function tryOnce(path: string, isLast: boolean): Disposable | 'removed' | undefined {
  let connection: BetterSqlite3.Database | undefined;
  let before: string | undefined;
  // Nobody else may hold another file of that name.
  const isRemoved = (): boolean => !isLast && (before === undefined || identityOf(path) !== before);
  try {
    makePrivate(path);
    before = identityOf(path);
    connection = new BetterSqlite3(path, { timeout: 0 });
    // Nothing is written, so no journal stands beside it.
    connection.pragma('journal_mode = memory');
    connection.exec('BEGIN EXCLUSIVE');
    const held = connection;
    if (!isRemoved()) return { [Symbol.dispose]: () => void held.close() };
    held.close();
    return 'removed';
  } catch (thrown) {
    connection?.close();
    if (isSqliteError(thrown, 'SQLITE_BUSY')) return undefined;
    // SQLite can fail on a file that goes while it opens it.
    if (isSqliteError(thrown) && isRemoved()) return 'removed';
    throw toStoreError(thrown, path);
  }
}

/** With its birth, as the number of a file that went is given to the next. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? undefined : `${stats.dev} ${stats.ino} ${stats.birthtimeNs}`;
}
