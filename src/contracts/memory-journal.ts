import type { MemoryRecord } from './memory.ts';

/** A record that is durable and not yet in the search index. */
export type PendingRecord = {
  /** grows with every write; a record that is written again gets a new one */
  seq: number;
  /** hash of scope and text */
  id: string;
  record: MemoryRecord;
};

/**
 * What memory needs of the store: a place where a record is safe at once, until the search index
 * has it. Synchronous. Owned by the store.
 */
export type MemoryJournal = {
  /** One transaction. A row with the id of a pending one takes its place, with a new `seq`. */
  append(rows: readonly { id: string; record: MemoryRecord }[]): void;
  /** by `seq`: the first `limit`, oldest first, or the last `limit`, newest first */
  pending(options: { limit: number; order: 'oldest' | 'newest' }): PendingRecord[];
  count(): number;
  /** By `seq`, not by id, so that a record written again in the meantime stays. */
  remove(seqs: readonly number[]): void;
  /**
   * The right to write to the search index, for one holder among all processes; undefined when
   * another has it. Ends when it is disposed or when its process ends, however it ends.
   */
  tryLock(): Disposable | undefined;
};
