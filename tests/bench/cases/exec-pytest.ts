import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExecServices } from '../../../src/host/interfaces/exec.ts';
import { findSandbox } from '../../../src/programs/exec/find-sandbox.ts';
import { defaultExecLimits } from '../../../src/programs/exec/launch-scripts.ts';
import { lookUpProgram } from '../../../src/programs/lookup/look-up-program.ts';
import type { Bench } from '../bench-context.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, timed } from '../measure.ts';

const target: Target = { name: 'exec.pytest', unit: 'ms', reach: '<= 1.3x + 40 ms' };

/** `pytest --version` of a virtual environment, beside the same without cuervo. */
export const execPytest: Bench = {
  ...target,
  run: async () => {
    const tier = await findSandbox('os');
    if (tier.tier !== 'bubblewrap') throw new Error(`no sandbox: ${JSON.stringify(tier)}`);
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-bench-pytest-')));
    try {
      const work = join(dir, 'work');
      const pytest = makeEnvironment(work);
      const run = serve(work, join(dir, 'home'), tier);
      const bare = async (): Promise<void> => {
        execFileSync(pytest, ['--version'], { stdio: 'ignore' });
      };
      const runs = 15;
      const sides = [() => timed(run), () => timed(bare)] as const;
      const { a, b } = await interleave({ runs, warmUps: 2 }, ...sides);
      return benchLine(target, { value: a, runs, peer: 'bare', peerValue: b });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

/** With the pytest of the Python that is there: nothing is fetched. */
function makeEnvironment(work: string): string {
  const quiet = { stdio: 'ignore' } as const;
  execFileSync('python3', ['-c', 'import pytest'], quiet);
  const flags = ['--system-site-packages', '--without-pip'];
  execFileSync('python3', ['-m', 'venv', ...flags, join(work, '.venv')], quiet);
  const script = join(work, '.venv/bin/pytest');
  const start = 'import sys\nfrom pytest import console_main\nsys.exit(console_main())\n';
  writeFileSync(script, `#!${work}/.venv/bin/python3\n${start}`);
  chmodSync(script, 0o755);
  return script;
}

function serve(
  work: string,
  home: string,
  tier: Awaited<ReturnType<typeof findSandbox>>,
): () => Promise<unknown> {
  const services = createExecServices({
    authorize: async () => ({ args: ['--version'], readOnly: false, origins: [] }),
    rootsOf: async () => ({ work }),
    lookUp: async (program, place) =>
      lookUpProgram(program, {
        ...place,
        isReader: () => false,
        isProtected: () => false,
        userPath: undefined,
        withheld: [home],
        warn: () => {},
      }),
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
  const command = { program: 'pytest', args: [], cwd: 'work:', timeoutMs: 0, maxOutputBytes: 0 };
  return async () => {
    const { value } = await services['exec.run']([command], {
      plugin: 'bench',
      digest: '',
      signal,
    });
    const { exitCode, stderr } = value as { exitCode?: number; stderr: string };
    if (exitCode !== 0) throw new Error(`pytest failed: ${stderr}`);
  };
}
