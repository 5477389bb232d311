import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { limitLanceBatches } from '../../../src/config/process-settings.ts';
import { memoryEmbedder } from '../../../src/memory/memory-embedder.ts';
import { loadEmbedder } from '../../../src/memory/static/load-embedder.ts';
import { type BenchLine, benchLine } from '../bench-line.ts';
import { createRowMaker } from './made-rows.ts';
import { openBenchMemory } from './open-bench-memory.ts';
import { percentile } from './percentile.ts';

const { signal } = new AbortController();
const batchRows = 1_000;

/**
 * What `memory rebuild` costs, and what a search finds while it runs: rows lie in the store alone,
 * and the tables are made of them.
 */
export async function measureRebuild(rows: number): Promise<BenchLine[]> {
  limitLanceBatches();
  const path = resolve(import.meta.dirname, '../../../src/memory/static/static-embedder.ste');
  const embedder = memoryEmbedder(loadEmbedder(path));
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-rebuild-'));
  try {
    const maker = createRowMaker(path, rows);
    await using opened = await openBenchMemory(folder, embedder, (message) =>
      console.error(message),
    );
    for (let from = 0; from < rows; from += batchRows) {
      const made = maker.rows('interact', from, Math.min(batchRows, rows - from));
      opened.journal.book.keep(made);
    }
    const searchMs: number[] = [];
    let found = 0;
    let isDone = false;
    const startedMs = performance.now();
    const rebuilt = opened.memory.rebuild({ signal }).finally(() => {
      isDone = true;
    });
    for (let asked = 0; !isDone; asked += 1) {
      const atMs = performance.now();
      const question = { text: maker.question(asked), limit: 10 };
      const hits = await opened.memory.search(question, { signal });
      searchMs.push(performance.now() - atMs);
      if (hits.length > 0) found += 1;
    }
    const { rows: written } = await rebuilt;
    const tookMs = performance.now() - startedMs;
    if (written !== rows) throw new Error(`${written} of ${rows} rows were written`);
    const name = `scale.rebuild.${rows}`;
    const line = (what: string, unit: BenchLine['unit'], reach: string, value: number, runs = 1) =>
      benchLine({ name: `${name}.${what}`, unit, reach }, { value, runs });
    return [
      line('seconds', 's', `<= ${Math.ceil((300 * rows) / 100_000)} s`, tookMs / 1_000),
      line('search.p95', 'ms', 'reported', percentile(searchMs, 0.95), searchMs.length),
      line(
        'searches-with-hits',
        'recall',
        '>= .95 recall',
        found / searchMs.length,
        searchMs.length,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
