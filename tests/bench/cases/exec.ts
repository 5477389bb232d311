import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExecServices } from '../../../src/host/interfaces/exec.ts';
import { findProgram } from '../../../src/programs/exec/find-program.ts';
import { findSandbox, type ProgramSandbox } from '../../../src/programs/exec/find-sandbox.ts';
import { defaultExecLimits } from '../../../src/programs/exec/launch-scripts.ts';
import type { Bench } from '../bench-context.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, timed } from '../measure.ts';
import type { Peers, SandboxRuntime } from '../peers.ts';
import { runProgram } from '../run-program.ts';
import { generateTree } from '../tree/generate-tree.ts';
import { execPytest } from './exec-pytest.ts';

const target: Target = { name: 'exec.true', unit: 'ms', reach: '<= 60 ms' };

const files = 2000;

/** `true`, from the host call to its answer, where 2,000 files are looked through for secrets. */
const execTrue: Bench = {
  ...target,
  run: async (context) => {
    const tier = await findSandbox('os');
    if (tier.tier !== 'bubblewrap') throw new Error(`no sandbox: ${JSON.stringify(tier)}`);
    const work = generateTree(files);
    const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    const peers = await context.peers();
    const runtime = typeof peers === 'string' ? undefined : await openRuntime(peers, work);
    try {
      const run = serve(work, home, tier);
      const runs = 15;
      const peer = runtime && (() => timed(() => runConfined(runtime, work)));
      const { a, b } = await interleave({ runs, warmUps: 2 }, () => timed(run), peer);
      const note = runtime === undefined ? missingRuntime(peers) : undefined;
      return benchLine(target, { value: a, runs, peer: 'sandbox-runtime', peerValue: b, note });
    } finally {
      await runtime?.close();
      rmSync(home, { recursive: true, force: true });
    }
  },
};

function missingRuntime(peers: Peers | string): string {
  return typeof peers === 'string' ? peers : 'the runtime wants socat and ripgrep, too';
}

function serve(work: string, home: string, tier: ProgramSandbox): () => Promise<unknown> {
  const services = createExecServices({
    authorize: async () => ({ args: [], readOnly: false, origins: [] }),
    rootsOf: async () => ({ work }),
    lookUp: async (program) => findProgram(program, []),
    protectedPaths: {},
    askGit: async () => ({ exitCode: 1, stdout: '', stderr: '' }),
    gitAttributesFile: '/nonexistent',
    askGrant: async (_, missing) => {
      throw missing;
    },
    gitSafeFolders: async () => [],
    gitCredential: async () => undefined,
    gitSsh: () => ({ program: '', agent: '', home: '' }),
    changes: { foresee: async () => [], watch: async () => async () => [] },
    warn: () => {},
    home,
    sandbox: async () => tier,
    resolve: async () => [],
    limits: defaultExecLimits,
    keepOutput: async () => ({ write: () => {}, end: () => {} }),
  });
  const { signal } = new AbortController();
  const command = { program: 'true', args: [], cwd: 'work:', timeoutMs: 0, maxOutputBytes: 0 };
  return async () => {
    const run = services['exec.run'];
    const { value } = await run([command], { plugin: 'bench', digest: '', signal });
    if ((value as { exitCode?: number }).exitCode !== 0) throw new Error('true was false');
  };
}

async function openRuntime(peers: Peers, work: string): Promise<SandboxRuntime | undefined> {
  try {
    return await peers.openSandboxRuntime(work);
  } catch {
    return undefined;
  }
}

/** The same by the runtime's own command line, with the workspace alone writable. */
async function runConfined(runtime: SandboxRuntime, work: string): Promise<void> {
  const line = await runtime.wrap('true');
  const { code, stderr } = await runProgram('/bin/sh', ['-c', line], { cwd: work });
  if (code !== 0) throw new Error(`the runtime ended with ${code}: ${stderr.slice(0, 500)}`);
}

export const execBenches: readonly Bench[] = [execTrue, execPytest];
