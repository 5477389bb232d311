import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { limitLanceBatches } from '../../../src/config/process-settings.ts';
import { memoryEmbedder } from '../../../src/memory/memory-embedder.ts';
import { loadEmbedder } from '../../../src/memory/static/load-embedder.ts';
import type { BenchLine } from '../bench-line.ts';
import { formatTable } from '../format-table.ts';
import { measureScheduler } from './measure-scheduler.ts';
import { measureSize, type SizeFigures } from './measure-size.ts';
import { measureTurns } from './measure-turns.ts';

export const defaultRows = [5_000, 20_000, 50_000] as const;

const root = resolve(import.meta.dirname, '../../..');

/**
 * Speed and size of memory, with the embedder that comes along.
 *
 * @param options.keep folder in which the tables stay, with the embedder that they were made with;
 *   those that are there are not made again
 */
export async function runScale(options: {
  rows: readonly number[];
  json: boolean;
  keep?: string | undefined;
}): Promise<{ ok: boolean }> {
  limitLanceBatches();
  const path = join(root, 'src/memory/static/static-embedder.ste');
  const embedder = memoryEmbedder(loadEmbedder(path));
  const lines: BenchLine[] = [];
  const keep = (made: readonly BenchLine[]): void => {
    lines.push(...made);
    if (options.json) for (const line of made) console.log(JSON.stringify(line));
  };
  const sizes: SizeFigures[] = [];
  for (const rows of options.rows) {
    console.error(`${rows} rows …`);
    const { lines: made, figures } = await measureKept(rows, path, options.keep);
    sizes.push(figures);
    keep(made);
  }
  console.error('turns …');
  keep(await measureTurns(path, embedder));
  console.error('scheduler …');
  keep([await measureScheduler()]);
  if (!options.json) console.log(`${formatTable(lines)}\n\n${growthTable(sizes)}`);
  return { ok: lines.every(({ ok }) => ok) };
}

async function measureKept(rows: number, path: string, keep: string | undefined) {
  const folder =
    keep === undefined
      ? mkdtempSync(join(tmpdir(), 'cuervo-bench-scale-'))
      : join(resolve(keep), String(rows));
  const own = join(folder, 'embedder.ste');
  try {
    if (!existsSync(own)) {
      mkdirSync(folder, { recursive: true });
      copyFileSync(path, own);
    }
    const embedder = memoryEmbedder(loadEmbedder(own));
    return await measureSize(rows, folder, { path: own, embedder });
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** As it stands in documents. */
function growthTable(sizes: readonly SizeFigures[]): string {
  const rows = sizes.map(({ rows, p50Ms, p95Ms, insertMs, buildMs, mergeMs, diskBytes }) => [
    rows.toLocaleString('en'),
    `${p50Ms.toFixed(1)} ms`,
    `${p95Ms.toFixed(1)} ms`,
    `${(insertMs / 1_000).toFixed(1)} s`,
    `${(buildMs / 1_000).toFixed(1)} s`,
    `${(mergeMs / 1_000).toFixed(1)} s`,
    `${(diskBytes / 1e6).toFixed(1)} MB`,
  ]);
  const head = [
    'rows',
    'search p50',
    'search p95',
    'rows written',
    'indices built',
    'merged',
    'disk',
  ];
  const rule = head.map(() => '---:');
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
