import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../../host/install/transpile/run-child.ts';
import { createProcessSandbox } from '../../sandbox/process-sandbox.ts';

/**
 * Runs a program that a stranger wrote, as plugin processes are confined: it reads its own text, and
 * says something.
 *
 * @param program a module of JavaScript that imports nothing
 * @throws {KernelError} as `runChild`
 */
export async function runStranger(
  program: string,
  options: { timeoutMs: number; signal: AbortSignal; doing: string; failed: string },
): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'cuervo-program-'));
  try {
    // Files beside a program are its own.
    const bundle = join(dir, 'code', 'program.mjs');
    mkdirSync(join(dir, 'code'));
    writeFileSync(bundle, program);
    const { confine } = createProcessSandbox('auto');
    return (await runChild(new Uint8Array(), { ...options, bundle, confine })).toString('utf8');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
