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
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`the swapping ended with ${code}`)));
  });
  try {
    await Promise.race([new Promise((ready) => child.stdout.once('data', ready)), ended]);
    return await Promise.race([run(), ended]);
  } finally {
    ended.catch(() => undefined);
    child.kill('SIGKILL');
  }
}
