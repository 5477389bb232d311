import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runChild } from './run-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-child-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, timeoutMs: number): Promise<Buffer> {
  const bundle = join(folder, 'child.cjs');
  writeFileSync(bundle, program);
  return runChild(new Uint8Array(), {
    bundle,
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
