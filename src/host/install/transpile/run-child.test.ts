import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { createProcessSandbox } from '../../../sandbox/process-sandbox.ts';
import { runChild } from './run-child.ts';

const { confine } = createProcessSandbox('auto');
const folder = mkdtempSync(join(tmpdir(), 'cuervo-child-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, timeoutMs: number): Promise<Buffer> {
  const bundle = join(folder, 'child.cjs');
  writeFileSync(bundle, program);
  return runChild(new Uint8Array(), {
    bundle,
    confine,
    timeoutMs,
    signal: new AbortController().signal,
    doing: 'transpiling',
    failed: 'it cannot be transpiled',
  });
}

it('runChild() names the key of the limit that it ends at', async () => {
  await expect(run('setTimeout(() => {}, 60_000);', 1)).rejects.toMatchObject({
    code: 'deadline-exceeded',
    message: 'transpiling took longer than 1 ms (limits.transpile-timeout-ms)',
    hint: 'Run it again, or raise limits.transpile-timeout-ms in config.toml.',
  });
});

it.each([
  [
    '    0: the imports do not fit\n    1: there is no `f`',
    'the imports do not fit: there is no `f`',
  ],
  ['    there is no `f`', 'there is no `f`'],
])('runChild() says all of why a tool refused a binary', async (causes, reason) => {
  const report = JSON.stringify(
    `ComponentError: no component\n\nCaused by:\n${causes}\n    at f\n`,
  );
  const ran = run(`process.stderr.write(${report}); process.exitCode = 1;`, 60_000);
  await expect(ran).rejects.toMatchObject({
    code: 'plugin-fault',
    message: `it cannot be transpiled: ${reason}`,
  });
});

it.skipIf(!existsSync('/proc/self/task'))(
  'runChild() leaves nothing behind that computes when its own process is killed',
  async () => {
    writeFileSync(join(folder, 'endless.cjs'), 'for (;;);');
    const parent = `
      import { readFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      import { runChild } from ${JSON.stringify(join(import.meta.dirname, 'run-child.ts'))};
      import { createProcessSandbox } from ${JSON.stringify(join(import.meta.dirname, '../../../sandbox/process-sandbox.ts'))};
      void runChild(new Uint8Array(), {
        bundle: ${JSON.stringify(join(folder, 'endless.cjs'))}, timeoutMs: 60_000,
        signal: new AbortController().signal, doing: '', failed: '',
        confine: createProcessSandbox('auto').confine,
      });
      const children = '/proc/self/task/' + process.pid + '/children';
      const pids = () => readFileSync(children, 'utf8');
      // No event tells that the guard has started, too.
      while (pids().trim().split(' ').length < 2) await setTimeout(10);
      process.stdout.write(pids(), () => process.kill(process.pid, 'SIGKILL'));`;
    const ran = spawn(process.execPath, ['--input-type=module', '-e', parent], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pids = (await text(ran.stdout)).trim().split(' ').map(Number);
    expect(pids).not.toEqual([0]);
    try {
      await expect.poll(() => pids.filter(isAlive), { timeout: 5000 }).toEqual([]);
    } finally {
      for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    }
  },
);

/** A zombie waits for its parent and does nothing more. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // it has ended
  }
}
