import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const script = resolve(import.meta.dirname, 'swap-links.ts');

/**
 * Runs while another process swaps pairs of names.
 *
 * @param pairs name, other name, and so on
 */
export async function whileSwapping<Value>(
  pairs: readonly string[],
  run: () => Promise<Value>,
): Promise<Value> {
  const child = spawn(process.execPath, [script, ...pairs], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await new Promise((ready) => child.stdout.once('data', ready));
    return await run();
  } finally {
    child.kill('SIGKILL');
  }
}
