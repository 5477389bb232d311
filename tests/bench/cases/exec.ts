import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import type { HostService } from '../../../src/contracts/host-service.ts';
import { defaultExecLimits } from '../../../src/host/exec/exec-limits.ts';
import { findSandbox } from '../../../src/host/exec/find-sandbox.ts';
import { createExecServices } from '../../../src/host/interfaces/exec.ts';
import type { Bench } from '../bench-context.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, timed } from '../measure.ts';
import { runProgram } from '../run-program.ts';
import { generateTree } from '../tree/generate-tree.ts';

const target: Target = { name: 'exec.true', unit: 'ms', reach: '<= 60 ms' };

const files = 2000;

/** `true`, from the host call to its answer, where 2,000 files are looked through for secrets. */
const execTrue: Bench = {
  ...target,
  run: async () => {
    const tier = await findSandbox('os');
    if (tier.tier !== 'bubblewrap') throw new Error(`no sandbox: ${JSON.stringify(tier)}`);
    const work = generateTree(files);
    const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
    try {
      const run = serve(work, home);
      const peer = await openRuntime(work);
      const runs = 15;
      const { a, b } = await interleave({ runs, warmUps: 2 }, () => timed(run), peer);
      return benchLine(target, { value: a, runs, peer: 'sandbox-runtime', peerValue: b });
    } finally {
      await SandboxManager.reset();
      rmSync(home, { recursive: true, force: true });
    }
  },
};

function serve(work: string, home: string): () => Promise<unknown> {
  const services = new Map<string, HostService>(
    createExecServices({
      authorize: async () => ({ args: [], readOnly: false, origins: [] }),
      rootsOf: async () => ({ work }),
      protectedPaths: {},
      gitIdentity: async () => [],
      home,
      sandbox: 'os',
      limits: defaultExecLimits,
    }),
  );
  const { signal } = new AbortController();
  const command = { program: 'true', args: [], cwd: 'work:', timeoutMs: 0, maxOutputBytes: 0 };
  return async () => {
    const run = services.get('exec.run') as HostService;
    const { value } = await run([command], { plugin: 'bench', digest: '', signal });
    if ((value as { exitCode?: number }).exitCode !== 0) throw new Error('true was false');
  };
}

/** The same by the runtime's own command line, with the workspace alone writable. */
async function openRuntime(work: string): Promise<(() => Promise<number>) | undefined> {
  try {
    await SandboxManager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [work], denyWrite: [] },
    });
  } catch {
    // It wants socat and ripgrep, too.
    return undefined;
  }
  return async () =>
    await timed(async () => {
      const line = await SandboxManager.wrapWithSandbox('true');
      const { code, stderr } = await runProgram('/bin/sh', ['-c', line], { cwd: work });
      if (code !== 0) throw new Error(`the runtime ended with ${code}: ${stderr.slice(0, 500)}`);
    });
}

export const execBenches: readonly Bench[] = [execTrue];
