import type { MemoryLayer, MemoryRecord, MemoryRow } from './memory.ts';

/** A record that is durable and not yet in the search index. */
export type PendingRecord = {
  /** grows with every write; a record that is written again gets a new one */
  seq: number;
  /** hash of scope and text */
  id: string;
  record: MemoryRecord;
};

/** A row before and after a run changed it; undefined when it did not exist. */
export type RowChange = { seq: number; run: string; id: string; before?: MemoryRecord };

/**
 * All that was said or added on this machine, whole: tables can be made of it anew. Synchronous.
 * Owned by the store.
 */
export type MemoryRows = {
  get(id: string): MemoryRow | undefined;
  /** by ids, oldest first, from the first after `after` on */
  page(options: { after?: string; limit: number }): MemoryRow[];
  /** facts, decisions and preferences that hold, of some or all workspaces, newest first */
  facts(projects?: readonly string[]): MemoryRow[];
  countFacts(): number;
  /** whether there is any, and be it one that holds no longer */
  hasFacts(layer?: MemoryLayer): boolean;
  /** all facts of a workspace that are about the same, whether they hold or not, newest first */
  chain(id: string): MemoryRow[];
  has(ids: readonly string[]): Set<string>;
  /** ids of rows that came of these runs, or were said in the session and edited since */
  saidIn(session: string, runs: readonly string[]): string[];
  /** those with most of the words first, then the newest */
  ofLayer(layer: MemoryLayer, page: { limit: number; words: readonly string[] }): MemoryRow[];
  /** all that was said, a page at a time */
  said(page: { order: 'newest' | 'oldest'; offset: number; limit: number }): MemoryRow[];
  /** whether a row of the layer must be in its table, as it does not wait for it */
  isInTable(layer: MemoryLayer): boolean;
  /** Has all rows of a layer wait for their table again; @returns how many */
  requeue(layer: MemoryLayer): number;
  /** Keeps rows that are in their table already. */
  keep(rows: readonly MemoryRow[]): void;
  /** Takes over rows of tables of earlier versions, but none that was forgotten; @returns how many */
  adopt(rows: readonly MemoryRow[]): number;
  count(): number;
  /** Takes rows away for good: ids that were forgotten come back only when they are said again. */
  forget(ids: readonly string[]): void;
  /** What a run changed, newest first. */
  changesOf(run: string): RowChange[];
  /** runs whose ids begin so, at most two */
  runsThatChanged(start: string): string[];
  /** A run that changed one of the rows since; undefined where none did. */
  changedAfter(run: string, ids: readonly string[]): string | undefined;
  dropChanges(seqs: readonly number[]): void;
};

/**
 * Memory's part of the store: records are safe here at once, until the search index has them.
 * Synchronous. Owned by the store.
 */
export type MemoryJournal = {
  /** what of it stays for good */
  readonly book: MemoryRows;
  /** whether every change fails, because the store cannot be written */
  readonly isReadOnly: boolean;
  /**
   * One transaction. A row with the id of a pending one takes its place, with a new `seq`.
   *
   * @param options.run whose undo takes it back
   * @param options.isPiece pieces of files, which are read again and are not in the book
   */
  append(
    rows: readonly { id: string; record: MemoryRecord }[],
    options?: { run?: string; isPiece?: boolean },
  ): void;
  /**
   * By `seq`: the first `limit`, oldest first, or the last `limit`, newest first.
   *
   * @param options.words of more rows than `limit`, the newest give way to those with most of these
   */
  pending(options: {
    limit: number;
    order: 'oldest' | 'newest';
    words?: readonly string[];
  }): PendingRecord[];
  count(): number;
  /** By `seq`, not by id, so that a record written again meanwhile stays. */
  remove(seqs: readonly number[]): void;
  /**
   * The right to write to the search index, for one holder among all processes; undefined when
   * another has it. Ends when it is disposed or when its process ends, however it ends.
   */
  tryLock(): Disposable | undefined;
};

/** Bytes of one source. A larger file is a data file, or takes minutes to read. */
export const maxSourceBytes = 16 * 1024 * 1024;

/** A source that was read into memory, and its state at that time. */
export type MemorySource = {
  /** absolute path of the workspace */
  project: string;
  /** relative to the workspace, or a name that a person gave */
  source: string;
  /** SHA-256 of the whole, hex */
  hash: string;
  bytes: number;
  /** when the file was last changed, ms since the epoch; undefined for what is not a file */
  changedMs?: number;
  /** when a person had it forgotten; it stays out until it is added again */
  forgottenMs?: number;
  /** it belongs to the index of its workspace */
  isIndexed?: boolean;
};

/** What memory knows of its sources. Synchronous. Owned by the store. */
export type MemorySources = {
  get(project: string, source: string): MemorySource | undefined;
  all(project: string): MemorySource[];
  /** One transaction; an entry of the same name is replaced. */
  put(sources: readonly MemorySource[]): void;
  remove(project: string, source: string): void;
  /** workspaces with something that was read */
  projects(): string[];
  /** workspaces that have an index */
  indexedProjects(): string[];
};

/** How often answers drew on a row of memory. */
export type MemoryUse = {
  id: string;
  layer: MemoryLayer;
  /** answers */
  uses: number;
  /** the same, where older uses count less, as of `scoredMs` */
  score: number;
  /** ms since the Unix epoch */
  scoredMs: number;
};

export type RecalledRow = { id: string; layer: MemoryLayer; score?: number };

/** Counts of memory's use. Synchronous. Owned by the store. */
export type MemoryUses = {
  /** The answer of a run used these rows; without `run` it is counted only. */
  count(rows: readonly RecalledRow[], nowMs: number, run?: string): void;
  /** The rows that the answer of a run used, best first. */
  recalledBy(run: string): (RecalledRow & { score: number })[];
  /** Runs whose answers drew on a row, newest first. */
  runsThatRecalled(id: string): string[];
  all(): MemoryUse[];
  /** One transaction. */
  keepScores(scores: readonly { id: string; score: number }[], nowMs: number): void;
  remove(ids: readonly string[]): void;
};
