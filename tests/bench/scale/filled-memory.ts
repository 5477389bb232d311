import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryEmbedder, MemoryLayer } from '../../../src/contracts/memory.ts';
import type { MemoryJournal } from '../../../src/contracts/memory-journal.ts';
import { withVectors } from '../../../src/memory/flush-pending.ts';
import { openLanceIndex } from '../../../src/memory/lance-index.ts';
import { type FlushableMemory, openMemory } from '../../../src/memory/open-memory.ts';
import { localPlace } from '../../../src/memory/table-place.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { madeAtMs, type RowMaker } from './made-rows.ts';

/** A memory with made rows in its tables, and what making it took. */
export type FilledMemory = AsyncDisposable & {
  memory: FlushableMemory;
  journal: MemoryJournal;
  folder: string;
  /** writing the rows with their vectors */
  insertMs: number;
  /** merging and building indices */
  buildMs: number;
  /** of all rows, one after the other; for a look at each of them */
  vectors: Float32Array;
  ids: string[];
};

const batchRows = 10_000;
const progressRows = 100_000;
const never = new AbortController().signal;

/** The table is written as a flush does, only without the detour over the store. */
export async function fillMemory(
  maker: RowMaker,
  embedder: MemoryEmbedder,
  { rows, layer }: { rows: number; layer: MemoryLayer },
): Promise<FilledMemory> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-scale-'));
  const vectors = new Float32Array(rows * embedder.dimensions);
  const ids: string[] = [];
  let insertMs = 0;
  let buildMs = 0;
  {
    using index = openLanceIndex(localPlace(join(folder, 'lancedb')));
    for (let from = 0; from < rows; from += batchRows) {
      const batch = maker.rows(layer, from, Math.min(batchRows, rows - from));
      const startedMs = performance.now();
      const made = await withVectors(batch, embedder, never);
      await index.write(layer, embedder, (table) => table.write(made));
      insertMs += performance.now() - startedMs;
      for (const [at, { id, made: written }] of made.entries()) {
        vectors.set(written?.vector ?? [], (from + at) * embedder.dimensions);
        ids.push(id);
      }
      if (from % progressRows === 0) console.error(`  ${from + batch.length} rows`);
    }
    const startedMs = performance.now();
    await index.change(layer, (table) => table.optimize(Date.now(), true));
    buildMs = performance.now() - startedMs;
  }
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: () => madeAtMs },
    embedder: async () => embedder,
    warn: (message) => {
      throw new Error(message);
    },
  });
  const close = async () => {
    await memory[Symbol.asyncDispose]();
    store[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    memory,
    journal: store.memoryJournal,
    folder,
    insertMs,
    buildMs,
    vectors,
    ids,
    [Symbol.asyncDispose]: close,
  };
}
