import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryEmbedder, MemoryFilter, MemoryLayer } from '../../../src/contracts/memory.ts';
import { openLanceIndex } from '../../../src/memory/lance-index.ts';
import { localPlace } from '../../../src/memory/table-place.ts';
import { whereClause } from '../../../src/memory/where-clause.ts';
import { type BenchLine, benchLine } from '../bench-line.ts';
import { type FilledMemory, fillMemory } from './filled-memory.ts';
import { createRowMaker } from './made-rows.ts';
import { nearest } from './nearest.ts';
import { percentile } from './percentile.ts';

/** What one size of memory costs and finds, in the order of the lines. */
export type SizeFigures = {
  rows: number;
  p50Ms: number;
  p95Ms: number;
  insertMs: number;
  buildMs: number;
  diskBytes: number;
};

const { signal } = new AbortController();
const searches = 200;
const warmUps = 20;
const waitingRows = 300;
const recallQuestions = 100;
/** Below, every vector is looked at and nothing can be missed. */
const minIndexedRows = 10_000;

/** What is to be reached, by rows; other sizes are reported. */
const reaches: Readonly<Record<number, { p50: string; p95: string }>> = {
  5000: { p50: '<= 15 ms', p95: '<= 25 ms' },
  50000: { p50: '<= 20 ms', p95: '<= 35 ms' },
  1000000: { p50: '<= 35 ms', p95: '<= 50 ms' },
};

/** Fills a memory with so many rows, in the layer that is made for as many, and asks it. */
export async function measureSize(
  rows: number,
  embedderPath: string,
  embedder: MemoryEmbedder,
): Promise<{ lines: BenchLine[]; figures: SizeFigures }> {
  const maker = createRowMaker(embedderPath, rows);
  const layer = layerFor(rows);
  await using filled = await fillMemory(maker, embedder, { rows, layer });
  const { memory, insertMs, buildMs } = filled;
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

  const diskBytes = folderBytes(join(filled.folder, 'lancedb'));
  const searched = await ask(searches);
  const lines = times('search', searched, reach);
  lines.push(...(await measureRecall(name, filled, layer, embedder, maker)));
  // moved to the table meanwhile, in small pieces, and in none of its indices
  for (const { record } of maker.rows('interact', rows, waitingRows)) {
    await memory.remember([record], { signal });
  }
  lines.push(...times('just-written', await ask(searches), { p95: '<= 50 ms' }));
  await memory.flush({ signal });
  {
    // another process that writes for long: all of them wait in the store
    using lock = filled.journal.tryLock();
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
    reported('disk', 'MB', diskBytes / 1e6),
  );
  const [p50Ms, p95Ms] = [percentile(searched.wall, 0.5), percentile(searched.wall, 0.95)];
  return { lines, figures: { rows, p50Ms, p95Ms, insertMs, buildMs, diskBytes } };
}

/** Of the ten nearest rows by a look at each, the share that the index finds, plain and filtered. */
async function measureRecall(
  name: string,
  filled: FilledMemory,
  layer: MemoryLayer,
  embedder: MemoryEmbedder,
  maker: ReturnType<typeof createRowMaker>,
): Promise<BenchLine[]> {
  using index = openLanceIndex(localPlace(join(filled.folder, 'lancedb')));
  const reach = filled.ids.length > 200_000 ? '>= 0.95 recall' : '>= 0.99 recall';
  const bound = filled.ids.length < minIndexedRows ? '>= 1 recall' : reach;
  const filters: readonly [string, MemoryFilter, (row: number) => boolean][] = [
    ['recall', {}, () => true],
    ['recall.project', { project: '/project-1' }, (row) => row % 4 === 1],
    ['recall.tag', { tags: ['tag3'] }, (row) => row % 7 === 3],
    [
      'recall.session-and-kind',
      { session: 's9', kinds: ['note'] },
      (row) => row % 50 === 9 && row % 3 === 0,
    ],
  ];
  const lines: BenchLine[] = [];
  for (const [suffix, filter, takes] of filters) {
    // a look at each of a million rows costs a quarter of a second
    const questions = suffix === 'recall' ? recallQuestions : recallQuestions / 4;
    let found = 0;
    let wanted = 0;
    for (let number = 0; number < questions; number += 1) {
      const [vector = new Float32Array(0)] = await embedder.embed([maker.question(number)], {
        signal,
      });
      const truth = nearest(vector, filled.vectors, 10, takes).map((row) => filled.ids[row]);
      const near = await index.change(layer, (table) =>
        table.searchVector(vector, whereClause(filter), 10),
      );
      const ids = new Set(near?.map(({ id }) => id));
      found += truth.filter((id) => id !== undefined && ids.has(id)).length;
      wanted += truth.length;
    }
    const target = { name: `${name}.${suffix}`, unit: 'recall', reach: bound } as const;
    lines.push(benchLine(target, { value: found / wanted, runs: questions }));
  }
  return lines;
}

function layerFor(rows: number): MemoryLayer {
  if (rows <= 5_000) return 'interact';
  return rows <= 50_000 ? 'insights' : 'assets';
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
