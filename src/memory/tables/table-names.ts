import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { type MemoryLayer, memoryLayers } from '../../contracts/memory.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { shellWord } from '../../lib/text/escape.ts';

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
