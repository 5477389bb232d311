import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runChild } from './run-child.ts';

it('runChild() names the key of the limit that it ends at', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-child-'));
  try {
    const bundle = join(folder, 'wait.cjs');
    writeFileSync(bundle, 'setTimeout(() => {}, 60_000);');
    const ran = runChild(new Uint8Array(), {
      bundle,
      timeoutMs: 1,
      signal: new AbortController().signal,
      doing: 'transpiling',
      failed: 'it cannot be transpiled',
    });
    await expect(ran).rejects.toMatchObject({
      code: 'deadline-exceeded',
      message: 'transpiling took longer than 1 ms (limits.transpile-timeout-ms)',
      hint: 'Run it again, or raise limits.transpile-timeout-ms in config.toml.',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
