import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench-context.ts';
import { dist } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave } from '../measure.ts';
import { runProgram } from '../run-program.ts';
import { generateTree } from '../tree/generate-tree.ts';

const files = 10_000;
/** `maxRSS` counts in KiB; a MB here is 1,000,000 bytes. */
const bytesInKilobyte = 1024;
const askTarget: Target = { name: 'index.ask', unit: 'ms', reach: '<= 1.2x' };
const child = join(import.meta.dirname, '..', 'children', 'index-tree.mjs');

type Report = { added: number; chunks: number; wallMs: number; cpuMs: number; maxRss: number };

async function indexTree(home: string): Promise<Report> {
  const args = [child, join(dist, 'index.cjs'), home, generateTree(files)];
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

const askFiles = 13_000;
const questions = [
  'where is the number of retries of a failed upload limited?',
  'how is the digest of a stage of a user made?',
  'where is the seed of a link kept?',
];

type AskEvent = { type: string; evidence?: { path: string }[] };

/** The whole command, its start included, in turn with and without an index of the same tree. */
const askBench: Bench = {
  ...askTarget,
  run: async () => {
    const indexed = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    const plain = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    const cwd = generateTree(askFiles);
    try {
      await command(['index'], indexed, cwd);
      let [rounds, same] = [0, 0];
      const first = new Map<string, string | undefined>();
      const ask = (home: string) => async (): Promise<number> => {
        let wallMs = 0;
        for (const question of questions) {
          const result = await command(['ask', question, '--json', '--model', 'none'], home, cwd);
          wallMs += result.wallMs;
          const path = firstPath(result.stdout);
          if (home === indexed) first.set(question, path);
          else {
            rounds += 1;
            if (first.get(question) === path) same += 1;
          }
        }
        return wallMs / questions.length;
      };
      const runs = 5;
      const { a, b } = await interleave({ runs, warmUps: 1 }, ask(indexed), ask(plain));
      const note = `the same file first in ${same} of ${rounds} answers`;
      return benchLine(askTarget, { value: a, runs, peer: 'no index', peerValue: b, note });
    } finally {
      for (const home of [indexed, plain]) rmSync(home, { recursive: true, force: true });
    }
  },
};

async function command(args: readonly string[], home: string, cwd: string) {
  const all = [join(dist, 'cuervo.cjs'), ...args];
  const result = await runProgram(process.execPath, all, { cwd, env: { CUERVO_HOME: home } });
  if (result.code !== 0) throw new Error(`cuervo ${args[0]} ended with ${result.code}`);
  return result;
}

function firstPath(stdout: string): string | undefined {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  const events = lines.map((line) => JSON.parse(line) as AskEvent);
  return events.find(({ type }) => type === 'answer')?.evidence?.[0]?.path;
}

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
  askBench,
];
