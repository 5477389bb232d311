import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/contracts/tool.ts';
import { openPluginStore } from '../../../src/host/install/plugin-store.ts';
import type { PluginHost } from '../../../src/host/plugin-host.ts';
import type { Bench } from '../bench-context.ts';
import { callTool, dist, openHost } from '../bench-host.ts';
import { type BenchLine, benchLine, type Target } from '../bench-line.ts';
import { interleave, median, pause, timed } from '../measure.ts';
import { generateTree } from '../tree/generate-tree.ts';

export const wholeTree = 13_000;
const quarterTree = wholeTree / 4;

/** Long enough for the next instance to be ready, as between two questions. */
export const idleMs = 20;

/** One search, for our tool and for ripgrep; both list each matching line with its place. */
export type Search = {
  what: string;
  input: JsonObject & { limit: number };
  ripgrep: readonly string[];
};

export const searches: readonly Search[] = [
  {
    what: 'rare text',
    input: { pattern: 'moonrakerHandshake', literal: true, limit: 1000 },
    ripgrep: ['--fixed-strings', 'moonrakerHandshake'],
  },
  {
    what: 'frequent text, first 200',
    input: { pattern: 'return', literal: true, limit: 200 },
    ripgrep: ['--fixed-strings', 'return'],
  },
  {
    what: 'regular expression with a word in it',
    input: { pattern: 'readLedger_\\d{4}_page\\(', limit: 1000 },
    ripgrep: ['readLedger_\\d{4}_page\\('],
  },
  {
    what: 'regular expression without one',
    input: { pattern: '\\b(load|open)[A-Z]\\w+(Cache|raker)\\b', limit: 1000 },
    ripgrep: ['\\b(load|open)[A-Z]\\w+(Cache|raker)\\b'],
  },
  {
    what: 'any case',
    input: { pattern: 'todo(backoff)', literal: true, caseInsensitive: true, limit: 1000 },
    ripgrep: ['--fixed-strings', '--ignore-case', 'todo(backoff)'],
  },
];

function openSearch(tree: string): PluginHost {
  return openHost(openPluginStore(join(dist, 'builtin')), { work: tree });
}

function grepBench(target: Target, files: number): Bench {
  return {
    ...target,
    run: async () => {
      const tree = generateTree(files);
      await using host = openSearch(tree);
      const isRipgrepThere = await ripgrep(['nothing'], tree, 1).then(
        () => true,
        () => false,
      );
      const runs = 7;
      const results: { what: string; a: number; b: number | undefined }[] = [];
      for (const search of searches) {
        const { limit } = search.input;
        const counts = { ours: 0, theirs: 0 };
        const ours = async (): Promise<number> => {
          await pause(idleMs);
          return await timed(async () => {
            const content = await callTool(host, 'search.grep', search.input);
            counts.ours = (JSON.parse(content) as { matches: unknown[] }).matches.length;
          });
        };
        const theirs = async (): Promise<number> => {
          await pause(idleMs);
          return await timed(async () => {
            counts.theirs = await ripgrep(search.ripgrep, tree, limit);
          });
        };
        const both = await interleave(
          { runs, warmUps: 2 },
          ours,
          isRipgrepThere ? theirs : undefined,
        );
        if (counts.ours === 0 || (isRipgrepThere && counts.ours !== counts.theirs)) {
          const found = `${counts.ours} matches, ripgrep ${counts.theirs}`;
          throw new Error(`"${search.what}" found ${found}`);
        }
        results.push({ what: search.what, ...both });
      }
      return grepLine(target, results, runs);
    },
  };
}

function grepLine(
  target: Target,
  results: readonly { what: string; a: number; b: number | undefined }[],
  runs: number,
): BenchLine {
  const theirs = results.flatMap(({ b }) => (b === undefined ? [] : [b]));
  const each = results.map(({ what, a, b }) => {
    const beside = b === undefined ? '' : ` (${(a / b).toFixed(2)}x)`;
    return `${what} ${a.toFixed(0)} ms${beside}`;
  });
  const missing = theirs.length === 0 ? ['no ripgrep here: apt-get install ripgrep'] : [];
  return benchLine(target, {
    value: median(results.map(({ a }) => a)),
    runs,
    peer: 'ripgrep',
    peerValue: theirs.length === 0 ? undefined : median(theirs),
    note: [...missing, ...each].join('; '),
  });
}

/**
 * Reads up to `limit` lines of ripgrep's answer, as one who stops at a limit does.
 *
 * @returns the number of lines
 */
export async function ripgrep(
  args: readonly string[],
  tree: string,
  limit: number,
): Promise<number> {
  const shown = ['--no-heading', '--line-number', '--column'];
  const all = ['--no-config', '--color=never', ...shown, ...args];
  const child = spawn('rg', all, { cwd: tree, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at >= 0 && lines < limit; at = chunk.indexOf(10, at + 1))
      lines += 1;
    if (lines >= limit) child.kill('SIGKILL');
  });
  await closed;
  return lines;
}

const question = 'where is the number of retries of a failed upload limited?';

/** Its answer stands in about one file in 400: `maxRetryAttempts`. */
function passagesBench(target: Target, files: number): Bench {
  return {
    ...target,
    run: async () => {
      await using host = openSearch(generateTree(files));
      const ours = async (): Promise<number> => {
        await pause(idleMs);
        return await timed(async () => {
          const content = await callTool(host, 'search.passages', { question, limit: 10 });
          if (!content.includes('maxRetryAttempts'))
            throw new Error('the passages miss the planted line');
        });
      };
      const runs = 5;
      const { a } = await interleave({ runs, warmUps: 1 }, ours, undefined);
      return benchLine(target, { value: a, runs });
    },
  };
}

export const searchBenches: readonly Bench[] = [
  grepBench({ name: 'search.grep', unit: 'ms', reach: '<= 1.5x' }, wholeTree),
  grepBench({ name: 'search.grep.quarter', unit: 'ms', reach: 'reported' }, quarterTree),
  passagesBench({ name: 'search.passages', unit: 'ms', reach: '<= 1000 ms' }, wholeTree),
  passagesBench({ name: 'search.passages.quarter', unit: 'ms', reach: 'reported' }, quarterTree),
];
