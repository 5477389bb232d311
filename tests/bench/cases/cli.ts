import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench-context.ts';
import { dist, root } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, median } from '../measure.ts';
import { type ProgramResult, runProgram } from '../run-program.ts';

const launcher = join(dist, 'cuervo.cjs');

const version: Target = { name: 'cli.version', unit: 'ms', reach: '<= 3x' };

const cliVersion: Bench = {
  ...version,
  run: async () => {
    const wallMs = async (args: readonly string[]): Promise<number> =>
      done(await runProgram(process.execPath, args, { cwd: root })).wallMs;
    const runs = 20;
    const { a, b } = await interleave(
      { runs, warmUps: 2 },
      () => wallMs([launcher, '--version']),
      () => wallMs(['-e', '0']),
    );
    return benchLine(version, { value: a, runs, peer: 'node -e 0', peerValue: b });
  },
};

const ask: Target = { name: 'cli.ask', unit: 'ms', reach: '<= 400 ms' };

const questions = [
  'where is the call timeout of a plugin set?',
  'how does the kernel end a plugin process at its deadline?',
  'what checks the digest of a plugin before it is loaded?',
];

/** The whole process, from start to exit, less the time in which tools ran. */
const cliAsk: Bench = {
  ...ask,
  run: async () => {
    const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    try {
      const samples: number[] = [];
      const toolSamples: number[] = [];
      const rounds = 4;
      for (let round = 0; round < rounds; round += 1) {
        for (const question of questions) {
          const args = [launcher, 'ask', question, '--json', '--model', 'none'];
          const result = done(
            await runProgram(process.execPath, args, { cwd: root, env: { CUERVO_HOME: home } }),
          );
          const toolMs = toolMsOf(result.stdout);
          // The first round fills caches and makes the home.
          if (round === 0) continue;
          samples.push(result.wallMs - toolMs);
          toolSamples.push(toolMs);
        }
      }
      const note = `besides the tools, which took ${Math.round(median(toolSamples))} ms`;
      return benchLine(ask, { value: median(samples), runs: samples.length, note });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};

type Event = { type: string; toolMs?: number; message?: string };

function eventsOf(stdout: string): Event[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Event);
}

function done(result: ProgramResult): ProgramResult {
  const { code, stdout, stderr } = result;
  if (code === 0) return result;
  const told = eventsOf(stdout).find(({ type }) => type === 'error')?.message;
  throw new Error(`exit ${code}: ${told ?? stderr.trim().split('\n', 1)[0]}`);
}

function toolMsOf(stdout: string): number {
  const toolMs = eventsOf(stdout).find(({ type }) => type === 'run-finished')?.toolMs;
  if (toolMs === undefined) throw new Error('no "run-finished" with toolMs was printed');
  return toolMs;
}

export const cliBenches: readonly Bench[] = [cliVersion, cliAsk];
