import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryEmbedder } from '../../../src/contracts/memory.ts';
import { dist } from '../bench-host.ts';
import { type BenchLine, benchLine } from '../bench-line.ts';
import { runProgram } from '../run-program.ts';
import { createRowMaker } from './made-rows.ts';
import { openBenchMemory } from './open-bench-memory.ts';
import { percentile } from './percentile.ts';

const { signal } = new AbortController();
const child = join(import.meta.dirname, '../children/two-thousand-turns.mjs');
const turns = 500;
const sessionTurns = 2_000;

/** What remembering costs: until it is durable, and what a session of 2,000 turns leaves. */
export async function measureTurns(
  embedderPath: string,
  embedder: MemoryEmbedder,
): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-turns-'));
  try {
    const durable = await timeTurns(join(folder, 'timed'), embedderPath, embedder);
    const reach = '<= 5 ms';
    const lines = [0.5, 0.95].map((share) =>
      benchLine(
        { name: `scale.turn-durable.p${share * 100}`, unit: 'ms', reach },
        { value: percentile(durable, share), runs: durable.length },
      ),
    );
    const { fragments, diskBytes, rssBytes } = await measureSession(folder, embedderPath);
    const line = (name: string, unit: BenchLine['unit'], bound: string, value = Number.NaN) =>
      benchLine({ name: `scale.2000-turns.${name}`, unit, reach: bound }, { value, runs: 1 });
    return [
      ...lines,
      line('fragments', 'fragments', '<= 100 fragments', fragments),
      line('disk', 'MB', '<= 20 MB', (diskBytes ?? Number.NaN) / 1e6),
      line('rss-growth', 'MB', '<= 150 MB', (rssBytes ?? Number.NaN) / 1e6),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a session leaves, in a process that runs the bundle as people do. */
async function measureSession(
  folder: string,
  embedderPath: string,
): Promise<Record<string, number>> {
  const [home, file] = [join(folder, 'home'), join(folder, 'turns.jsonl')];
  mkdirSync(home);
  const rows = createRowMaker(embedderPath, sessionTurns).rows('interact', 0, sessionTurns);
  writeFileSync(file, rows.map(({ record }) => JSON.stringify(record)).join('\n'));
  const args = [child, join(dist, 'index.cjs'), home, file];
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { cwd: folder });
  if (code !== 0) throw new Error(`the child ended with ${code}: ${stderr.trim()}`);
  return JSON.parse(stdout) as Record<string, number>;
}

/** Turns as a conversation brings them, while earlier ones move to the table. */
async function timeTurns(
  folder: string,
  embedderPath: string,
  embedder: MemoryEmbedder,
): Promise<number[]> {
  await using opened = await openBenchMemory(folder, embedder);
  const times: number[] = [];
  for (const { record } of createRowMaker(embedderPath, turns).rows('interact', 0, turns)) {
    const startedMs = performance.now();
    await opened.memory.remember([record], { signal });
    times.push(performance.now() - startedMs);
    await sleep(5);
  }
  return times;
}
