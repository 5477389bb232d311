import type { MemoryRow, NearPiece } from '../../contracts/memory.ts';
import type { TableName } from './table-names.ts';

/** A row that an arm found; `vector` is there where the arm was asked by words. */
export type FoundRow = {
  /** where it lies in the version of the table that was asked */
  rowId: bigint;
  /** milliseconds since the Unix epoch; of a layer whose rows count less with age */
  ts?: number;
  bm25?: number;
  cosine?: number;
  vector?: Float32Array;
};

/** The place of a row in the version of the table that was asked. */
export type RowPlace = Pick<FoundRow, 'rowId'>;

export type RowMark = { id: string; ts: number; isKept: boolean };

export type WrittenRow = MemoryRow & { made?: { vector: Float32Array; embedder: string } };

/** A piece of a file as the table has it. */
export type FoundPiece = Omit<NearPiece, 'likeness'>;

/** One table of LanceDB. Filters are SQL that `whereClause` made. */
export type LanceTable = Disposable & {
  readonly name: TableName;
  /** best first */
  searchWords(question: string, where: string | undefined, limit: number): Promise<FoundRow[]>;
  /** nearest first */
  searchVector(vector: Float32Array, where: string | undefined, limit: number): Promise<FoundRow[]>;
  /** pieces of files, nearest first, by a look at each row that the filter takes or at the index */
  nearPieces(
    vector: Float32Array,
    where: string,
    options: { limit: number; exact: boolean },
  ): Promise<FoundPiece[]>;
  /** BM25 of chosen rows; a row without a word of the question is not in it */
  scoreWords(question: string, rows: readonly RowPlace[]): Promise<Map<bigint, number>>;
  /** ids and times of rows of the arms, and whether a person said them, to be kept */
  marks(rows: readonly RowPlace[]): Promise<Map<bigint, RowMark>>;
  /** what rows of the arms hold */
  records(rows: readonly RowPlace[]): Promise<Map<bigint, MemoryRow>>;
  /** in the order of the table */
  rows(where: string | undefined, page: { limit: number; offset: number }): Promise<MemoryRow[]>;
  /** id and time of all that match: little of each row is read */
  times(where: string | undefined): Promise<{ id: string; ts: number }[]>;
  /** the sources of all that match, '' for rows without one */
  sources(where: string | undefined): Promise<Set<string>>;
  countRows(where?: string): Promise<number>;
  /** Adds rows; one whose id is there takes its place. All or nothing. */
  write(rows: readonly WrittenRow[]): Promise<number>;
  /** Adds rows whose ids no row has. */
  append(rows: readonly WrittenRow[]): Promise<void>;
  remove(where: string): Promise<void>;
  /** Builds what a table with many new rows is searched by; does nothing for a few. */
  settle(nowMs: number): Promise<void>;
  /** @returns false when no threshold was reached */
  optimize(nowMs: number, force: boolean): Promise<boolean>;
  /**
   * Removes the remains of removed rows from the disk: fragments, indices and versions. The rest is
   * written anew. A reader of an older version has to begin again.
   *
   * @param options.isAlone there is no other writer: remains of a killed writer go too
   */
  wipe(options: { isAlone: boolean }): Promise<void>;
  /** bytes without old versions and indices */
  size(): Promise<{ fragments: number; bytes: number }>;
  /** Moves to the newest version, until the next call. */
  refresh(): Promise<void>;
  /** the one that is looked at */
  version(): Promise<number>;
};
