import type { MemoryRecord } from '../contracts/memory.ts';
import type { MemoryJournal, PendingRecord } from '../contracts/memory-journal.ts';
import { createMemoryBook, writeToBook } from './memory-book.ts';
import { mostWordsFirst } from './most-words-first.ts';
import type { Database } from './open-database.ts';
import { tryLock } from './try-lock.ts';

/** The table `memory_wal` as the port that memory writes through. Owned by the database's owner. */
export function createMemoryJournal(database: Database): MemoryJournal {
  let heldHere = false;
  const lockHere = (): Disposable | undefined => {
    if (heldHere) return undefined;
    heldHere = true;
    return {
      [Symbol.dispose]: () => {
        heldHere = false;
      },
    };
  };
  return {
    book: createMemoryBook(database),
    append: (rows, { run, isPiece = false } = {}) => {
      database.transaction(() => {
        for (const { id, record } of rows) {
          if (!isPiece) writeToBook(database, { id, record }, run);
          database.run(
            'INSERT OR REPLACE INTO memory_wal (id, record) VALUES (?, ?)',
            id,
            JSON.stringify(record),
          );
        }
      });
    },
    pending: ({ limit, order, words = [] }) => {
      const pages = (by: string, values: readonly string[] = []): PendingRecord[] =>
        database
          .all<{ seq: number; id: string; record: string }>(
            `SELECT seq, id, record FROM memory_wal ORDER BY ${by} LIMIT ?`,
            ...values,
            limit,
          )
          .map(({ seq, id, record }) => ({ seq, id, record: JSON.parse(record) as MemoryRecord }));
      if (order === 'oldest') return pages('seq');
      const newest = pages('seq DESC');
      if (newest.length < limit || words.length === 0) return newest;
      const most = mostWordsFirst(words);
      return pages(`${most.order} DESC, seq DESC`, most.values);
    },
    count: () => database.get<{ n: number }>('SELECT count(*) AS n FROM memory_wal')?.n ?? 0,
    remove: (seqs) => {
      database.transaction(() => {
        for (const seq of seqs) database.run('DELETE FROM memory_wal WHERE seq = ?', seq);
      });
    },
    isReadOnly: database.unwritable !== undefined,
    // a database in memory is seen by this process alone
    tryLock: () => (database.path === ':memory:' ? lockHere() : tryLock(`${database.path}-flush`)),
  };
}
