import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryEmbedder, MemoryLayer } from '../../../src/contracts/memory.ts';
import { armRows } from '../../../src/memory/search/search-memory.ts';
import { openLanceIndex } from '../../../src/memory/tables/lance-index.ts';
import { localPlace } from '../../../src/memory/tables/table-place.ts';
import { whereClause } from '../../../src/memory/tables/where-clause.ts';
import { type BenchLine, benchLine } from '../bench-line.ts';
import { foundIds } from '../found-ids.ts';
import { linkFolder } from './link-folder.ts';
import { createRowMaker, type RowMaker } from './made-rows.ts';
import { type MadeTable, makeTable, readMadeTable, recallRows } from './made-table.ts';
import { openBenchMemory } from './open-bench-memory.ts';
import { percentile } from './percentile.ts';
import { recallCases } from './recall-cases.ts';

/** What one size of memory costs and finds, in the order of the lines. */
export type SizeFigures = { p50Ms: number; p95Ms: number } & Pick<
  MadeTable,
  'rows' | 'insertMs' | 'buildMs' | 'mergeMs' | 'diskBytes'
>;

const { signal } = new AbortController();
const searches = 200;
const warmUps = 20;
const waitingRows = 300;
/** Below, every vector is looked at and nothing can be missed. */
const minIndexedRows = 10_000;
/** From here on what the index keeps is rounded. */
const minRoundedRows = 200_000;

/** What is to be reached, by rows; other sizes are reported. */
const reaches: Readonly<Record<number, { p50: string; p95: string }>> = {
  5000: { p50: '<= 15 ms', p95: '<= 25 ms' },
  50000: { p50: '<= 20 ms', p95: '<= 35 ms' },
  1000000: { p50: '<= 35 ms', p95: '<= 50 ms' },
};

/**
 * A memory of so many rows in the layer that is made for as many, asked and written to.
 *
 * @param folder of the table, which is made unless it is already there, and left as it is
 */
export async function measureSize(
  rows: number,
  folder: string,
  { path, embedder }: { path: string; embedder: MemoryEmbedder },
): Promise<{ lines: BenchLine[]; figures: SizeFigures }> {
  const maker = createRowMaker(path, rows);
  const layer = layerFor(rows);
  const made = readMadeTable(folder) ?? (await makeTable(folder, maker, embedder, { rows, layer }));
  const work = mkdtempSync(join(folder, 'work-'));
  try {
    linkFolder(join(folder, 'lancedb'), join(work, 'lancedb'));
    return await measureMade(made, work, maker, embedder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function measureMade(
  made: MadeTable,
  folder: string,
  maker: RowMaker,
  embedder: MemoryEmbedder,
): Promise<{ lines: BenchLine[]; figures: SizeFigures }> {
  const { rows, insertMs, buildMs, mergeMs, diskBytes } = made;
  await using opened = await openBenchMemory(folder, embedder);
  const { memory, journal } = opened;
  const name = `scale.${rows}`;
  const reach = reaches[rows] ?? { p50: 'reported', p95: 'reported' };

  const ask = async (questions: number): Promise<{ wall: number[]; cpuMs: number }> => {
    const wall: number[] = [];
    const cpu: number[] = [];
    for (let number = -warmUps; number < questions; number += 1) {
      const text = maker.question(number);
      const before = process.cpuUsage();
      const startedMs = performance.now();
      await memory.search({ text, limit: 10 }, { signal });
      if (number < 0) continue;
      wall.push(performance.now() - startedMs);
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1_000);
    }
    return { wall, cpuMs: percentile(cpu, 0.5) };
  };
  const times = (
    what: string,
    { wall, cpuMs }: Awaited<ReturnType<typeof ask>>,
    reached: { p50?: string; p95: string },
  ): BenchLine[] => {
    const note = `${cpuMs.toFixed(1)} ms of processor time each, median`;
    const line = (suffix: string, share: number, bound: string) =>
      benchLine(
        { name: `${name}.${what}.${suffix}`, unit: 'ms', reach: bound },
        { value: percentile(wall, share), runs: wall.length, note },
      );
    const p95 = line('p95', 0.95, reached.p95);
    return reached.p50 === undefined ? [p95] : [line('p50', 0.5, reached.p50), p95];
  };

  const searched = await ask(searches);
  const lines = times('search', searched, reach);
  lines.push(...(await measureRecall(name, made, folder, embedder, maker)));
  // moved to the table meanwhile, in small pieces, and in none of its indices
  for (const { record } of maker.rows('interact', rows, waitingRows)) {
    await memory.remember([record], { signal });
  }
  lines.push(...times('just-written', await ask(searches), { p95: '<= 50 ms' }));
  await memory.flush({ signal });
  {
    // another process that writes for long: all of them wait in the store
    using lock = journal.tryLock();
    if (lock === undefined) throw new Error('another process writes to the memory of this bench');
    for (const { record } of maker.rows('interact', rows + waitingRows, waitingRows)) {
      await memory.remember([record], { signal });
    }
    lines.push(...times('waiting', await ask(searches), { p95: '<= 50 ms' }));
  }
  const reported = (suffix: string, unit: 's' | 'MB', value: number): BenchLine =>
    benchLine({ name: `${name}.${suffix}`, unit, reach: 'reported' }, { value, runs: 1 });
  lines.push(
    reported('insert', 's', insertMs / 1_000),
    reported('build', 's', buildMs / 1_000),
    reported('merge', 's', mergeMs / 1_000),
    reported('disk', 'MB', diskBytes / 1e6),
  );
  const [p50Ms, p95Ms] = [percentile(searched.wall, 0.5), percentile(searched.wall, 0.95)];
  return { lines, figures: { rows, p50Ms, p95Ms, insertMs, buildMs, mergeMs, diskBytes } };
}

/** Of the nearest rows by a look at each, the share that a search finds, plain and filtered. */
async function measureRecall(
  name: string,
  { rows, layer, nearest }: MadeTable,
  folder: string,
  embedder: MemoryEmbedder,
  maker: RowMaker,
): Promise<BenchLine[]> {
  using index = openLanceIndex(localPlace(join(folder, 'lancedb')));
  const reach = rows >= minRoundedRows ? '>= 0.95 recall' : '>= 0.99 recall';
  const bound = rows < minIndexedRows ? '>= 1 recall' : reach;
  const lines: BenchLine[] = [];
  for (const { name: suffix, filter } of recallCases) {
    const truth = nearest.find((found) => found.case === suffix)?.ids ?? [];
    let found = 0;
    for (const [number, ids] of truth.entries()) {
      const [vector = new Float32Array(0)] = await embedder.embed([maker.question(number)], {
        signal,
      });
      const best = await index.read([layer], async ([table]) => {
        if (table === undefined) throw new Error(`${folder} has no table of ${layer}`);
        const near = await table.searchVector(vector, whereClause(filter), armRows);
        return new Set(await foundIds(table, near.slice(0, recallRows)));
      });
      found += ids.filter((id) => best.has(id)).length;
    }
    const target = { name: `${name}.${suffix}`, unit: 'recall', reach: bound } as const;
    const wanted = truth.reduce((sum, ids) => sum + ids.length, 0);
    lines.push(benchLine(target, { value: found / wanted, runs: truth.length }));
  }
  return lines;
}

function layerFor(rows: number): MemoryLayer {
  if (rows <= 5_000) return 'interact';
  return rows <= 50_000 ? 'insights' : 'assets';
}
