import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { escapeCase } from './support/escape-case.ts';
import { root } from './support/paths.ts';
import { put, usePlace } from './support/place.ts';

let endless = '';
const place = usePlace({
  fill: ({ dir }) => {
    const text = "require('node:fs').writeSync(3, String(process.pid));\nfor (;;) {}\n";
    endless = put(dir, 'model/endless.cjs', text);
  },
});

/** What it starts, and what it is itself. */
async function start(what: 'group' | 'model'): Promise<{ pid: number; kill(): Promise<void> }> {
  const script = join(root, 'tests/escape/support/left-behind.ts');
  const kernel = spawn(process.execPath, [script, what, endless], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: place.dir,
  });
  const [said] = (await once(kernel.stdout, 'data')) as [Buffer];
  return {
    pid: Number(said.toString('utf8')),
    kill: async () => {
      const ended = once(kernel, 'exit');
      kernel.kill('SIGKILL');
      await ended;
    },
  };
}

/** A process that nobody has asked for its end yet is gone as well. */
function isThere(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** What did not end computes for ever. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone, as it should be
  }
}

const isGone = async (what: 'group' | 'model') => {
  const { pid, kill } = await start(what);
  expect(pid).toBeGreaterThan(1);
  await kill();
  try {
    await expect.poll(() => isThere(pid), { timeout: 20_000 }).toBe(false);
  } finally {
    end(pid);
  }
};

escapeCase('process that is left when cuervo was killed', {
  needs: { file: '/proc/self/status', install: 'Linux' },
  denied: [
    ['one that a program without a sandbox gave a group of its own', () => isGone('group')],
    ['a model without a sandbox that computes without an end', () => isGone('model')],
  ],
  control: [
    'both go on as long as cuervo does',
    async () => {
      for (const what of ['group', 'model'] as const) {
        const { pid, kill } = await start(what);
        expect(isThere(pid)).toBe(true);
        await kill();
        end(pid);
      }
    },
  ],
});
