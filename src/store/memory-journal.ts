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
  const count = (): number =>
    database.get<{ n: number }>('SELECT count(*) AS n FROM memory_wal')?.n ?? 0;
  /** @param words rows with most of them are taken; what is sorted is their numbers alone */
  const pages = (by: string, limit: number, words: readonly string[] = []): PendingRecord[] => {
    const most = mostWordsFirst(words);
    const taken = `SELECT seq FROM memory_wal ORDER BY ${words.length === 0 ? '' : `${most.order} DESC, `}${by} LIMIT ?`;
    return database
      .all<{ seq: number; id: string; record: string }>(
        `SELECT seq, id, record FROM memory_wal WHERE seq IN (${taken}) ORDER BY ${by}`,
        ...most.values,
        limit,
      )
      .map(({ seq, id, record }) => ({ seq, id, record: JSON.parse(record) as MemoryRecord }));
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
      if (order === 'oldest') return pages('seq', limit);
      return pages('seq DESC', limit, count() > limit ? words : []);
    },
    count,
    remove: (seqs) => {
      database.run(
        'DELETE FROM memory_wal WHERE seq IN (SELECT value FROM json_each(?))',
        JSON.stringify(seqs),
      );
    },
    isReadOnly: database.unwritable !== undefined,
    // a database in memory is seen by this process alone
    tryLock: () => (database.path === ':memory:' ? lockHere() : tryLock(`${database.path}-flush`)),
  };
}
