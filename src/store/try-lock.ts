import BetterSqlite3 from 'better-sqlite3';
import { makePrivate } from './make-private.ts';
import { isSqliteError, toStoreError } from './store-error.ts';

/**
 * A lock between processes, held as an exclusive transaction on a file of its own. The operating
 * system ends it with the process, so nothing is left behind by a crash and nothing expires under
 * a holder that is only slow. The caller owns the result.
 *
 * @param path file made for this lock alone
 * @returns undefined when another holder has it
 */
export function tryLock(path: string): Disposable | undefined {
  let connection: BetterSqlite3.Database | undefined;
  try {
    makePrivate(path);
    connection = new BetterSqlite3(path, { timeout: 0 });
    connection.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    connection?.close();
    if (isSqliteError(thrown, 'SQLITE_BUSY')) return undefined;
    throw toStoreError(thrown, path);
  }
  const held = connection;
  return { [Symbol.dispose]: () => void held.close() };
}
