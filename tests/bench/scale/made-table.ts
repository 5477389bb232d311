import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryEmbedder, MemoryLayer } from '../../../src/contracts/memory.ts';
import { withVectors } from '../../../src/memory/flush-pending.ts';
import { openLanceIndex } from '../../../src/memory/tables/lance-index.ts';
import { localPlace } from '../../../src/memory/tables/table-place.ts';
import type { RowMaker } from './made-rows.ts';
import { nearest } from './nearest.ts';
import { type RecallCase, recallCases } from './recall-cases.ts';

/** What a folder with a table of made rows holds, beside the table itself in `lancedb`. */
export type MadeTable = {
  rows: number;
  layer: MemoryLayer;
  /** writing the rows with their vectors */
  insertMs: number;
  /** what a search waits for after that: the index of words, and those of ids and vectors */
  buildMs: number;
  /** what the upkeep does later: few large fragments of many small ones */
  mergeMs: number;
  /** processor time of the three, ms */
  cpuMs: number;
  diskBytes: number;
  /** of each case the ids of the rows nearest to its questions, by a look at each row */
  nearest: { case: RecallCase['name']; ids: string[][] }[];
};

const batchRows = 10_000;
const progressRows = 100_000;
/** Nearest rows that an index has to find. */
export const recallRows = 10;
const never = new AbortController().signal;

const fileOf = (folder: string): string => join(folder, 'made.json');

/** Writes and indexes rows as `cuervo index` and conversations do, without the detour over the store. */
export async function makeTable(
  folder: string,
  maker: RowMaker,
  embedder: MemoryEmbedder,
  { rows, layer }: { rows: number; layer: MemoryLayer },
): Promise<MadeTable> {
  mkdirSync(folder, { recursive: true });
  const vectors = new Float32Array(rows * embedder.dimensions);
  const ids: string[] = [];
  const directory = join(folder, 'lancedb');
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedMs = performance.now();
    await work();
    return performance.now() - startedMs;
  };
  const before = process.cpuUsage();
  using index = openLanceIndex(localPlace(directory));
  let insertMs = 0;
  for (let from = 0; from < rows; from += batchRows) {
    const batch = maker.rows(layer, from, Math.min(batchRows, rows - from));
    insertMs += await timed(async () => {
      const made = await withVectors(batch, embedder, never);
      // pieces of new files are added, turns may be there already
      await index.write<unknown>(layer, embedder, (table) =>
        layer === 'assets' ? table.append(made) : table.write(made),
      );
      for (const [at, { id, made: written }] of made.entries()) {
        vectors.set(written?.vector ?? [], (from + at) * embedder.dimensions);
        ids.push(id);
      }
    });
    if (from % progressRows === 0) console.error(`  ${from + batch.length} rows`);
  }
  console.error('  indices …');
  const buildMs = await timed(() => index.change(layer, (table) => table.settle(Date.now())));
  console.error('  merging …');
  const mergeMs = await timed(() =>
    index.change(layer, (table) => table.optimize(Date.now(), true)),
  );
  const { user, system } = process.cpuUsage(before);
  console.error('  nearest rows …');
  const found: MadeTable['nearest'] = [];
  for (const { name, takes, questions } of recallCases) {
    const asked = Array.from({ length: questions }, (_, number) => maker.question(number));
    const vectorsAsked = await embedder.embed(asked, { signal: never });
    const rowsFound = vectorsAsked.map((vector) => nearest(vector, vectors, recallRows, takes));
    found.push({
      case: name,
      ids: rowsFound.map((near) => near.map((row) => ids[row] ?? '')),
    });
  }
  const made = {
    rows,
    layer,
    insertMs,
    buildMs,
    mergeMs,
    cpuMs: (user + system) / 1_000,
    diskBytes: folderBytes(directory),
    nearest: found,
  };
  writeFileSync(fileOf(folder), JSON.stringify(made));
  return made;
}

/** @returns undefined where no table was finished */
export function readMadeTable(folder: string): MadeTable | undefined {
  const path = fileOf(folder);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MadeTable) : undefined;
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
