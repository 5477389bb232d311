import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import {
  type MemoryLayer,
  type MemoryRow,
  memoryLayers,
  type NearPiece,
} from '../../contracts/memory.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { shellWord } from '../../lib/text/escape.ts';

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

/** Which table serves a layer, and whose vectors are in it. */
export type TableName = {
  layer: MemoryLayer;
  table: string;
  /** '' when it has no vectors yet */
  embedder: string;
  dimensions: number;
};

const fileName = 'tables.json';
/** In the folder of a table: the newest version that was written. */
export const versionHint = join('_versions', 'latest_version_hint.json');
/** Dimensions of a table that was made before any embedder was asked. */
export const plainDimensions = 256;

/**
 * The tables of a directory, kept in `tables.json` there, so that a layer can move to a table of
 * another embedder in one step. A table without an entry has no vectors.
 *
 * @throws {KernelError} `unavailable` when the file is damaged
 */
export function readTableNames(directory: string): TableName[] {
  const kept = readFile(join(directory, fileName));
  return memoryLayers.flatMap((layer) => {
    const entry = kept.find((found) => found.layer === layer) ?? {
      layer,
      table: layer,
      embedder: '',
      dimensions: plainDimensions,
    };
    return isMade(join(directory, `${entry.table}.lance`)) ? [entry] : [];
  });
}

/**
 * LanceDB makes the folders of a table before its first version: a process that died between them
 * left no table. A folder with data or a version hint has lost its versions; opening it reports
 * that.
 */
function isMade(folder: string): boolean {
  // This runs before every search; looking up one name costs a tenth of listing a folder.
  if (!existsSync(folder)) return false;
  if (existsSync(join(folder, versionHint))) return true;
  const has = (part: string, name: RegExp): boolean => {
    try {
      return readdirSync(join(folder, part)).some((found) => name.test(found));
    } catch {
      return false;
    }
  };
  return has('_versions', /\.(?:manifest|json)$/) || has('data', /./);
}

/** Only the holder of the write lock may. */
export function keepTableName(directory: string, name: TableName): void {
  const others = readFile(join(directory, fileName)).filter(({ layer }) => layer !== name.layer);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileWhole(join(directory, fileName), `${JSON.stringify([...others, name], null, 2)}\n`);
}

function readFile(path: string): TableName[] {
  if (!existsSync(path)) return [];
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    throw damaged(path, thrown);
  }
  if (!Array.isArray(value) || !value.every(isTableName)) throw damaged(path);
  return value;
}

export function isTableName(value: unknown): value is TableName {
  const { layer, table, embedder, dimensions } = (value ?? {}) as Record<string, unknown>;
  return (
    memoryLayers.some((known) => known === layer) &&
    typeof table === 'string' &&
    /^[\w-]+$/.test(table) &&
    typeof embedder === 'string' &&
    Number.isInteger(dimensions)
  );
}

function damaged(path: string, cause?: unknown): KernelError {
  return new KernelError('unavailable', `${path} does not say which tables memory has`, {
    cause,
    hint: `remove it, then bring the vectors back: rm ${shellWord(path)} && cuervo memory reembed`,
  });
}
