import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench-context.ts';
import { dist } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { runProgram } from '../run-program.ts';
import { generateTree } from '../tree/generate-tree.ts';

const files = 10_000;
/** `maxRSS` counts in KiB; a MB here is 1,000,000 bytes. */
const bytesInKilobyte = 1024;
const child = join(import.meta.dirname, '..', 'children', 'index-tree.mjs');

type Report = { added: number; chunks: number; wallMs: number; cpuMs: number; maxRss: number };

async function indexTree(home: string): Promise<Report> {
  const args = [child, join(dist, 'index.js'), home, generateTree(files)];
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { cwd: home });
  if (code !== 0) throw new Error(`the child ended with ${code}: ${stderr.trim()}`);
  return JSON.parse(stdout) as Report;
}

/** A run takes most of a minute: each bench makes one. */
function indexBench(target: Target, measure: (home: string) => Promise<[number, string]>): Bench {
  return {
    ...target,
    run: async () => {
      const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
      try {
        const [value, note] = await measure(home);
        return benchLine(target, { value, runs: 1, note });
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  };
}

const noteOf = ({ added, chunks, cpuMs }: Report): string =>
  `${added} files, ${chunks} pieces, ${(cpuMs / 1000).toFixed(1)} s of processor time`;

/** `cuervo index` on a tree of 10,000 source files with the embedder that comes along. */
export const indexBenches: readonly Bench[] = [
  indexBench({ name: 'index.first', unit: 'ms', reach: '<= 60000 ms' }, async (home) => {
    const report = await indexTree(home);
    return [report.wallMs, noteOf(report)];
  }),
  indexBench({ name: 'index.again', unit: 'ms', reach: '<= 2000 ms' }, async (home) => {
    await indexTree(home);
    const report = await indexTree(home);
    return [report.wallMs, noteOf(report)];
  }),
  indexBench({ name: 'index.rss', unit: 'MB', reach: '<= 600 MB' }, async (home) => {
    const report = await indexTree(home);
    return [(report.maxRss * bytesInKilobyte) / 1e6, noteOf(report)];
  }),
];
