import { setFlagsFromString } from 'node:v8';
import { once } from '../lib/memo.ts';

/**
 * From now on the engine's space for young objects stays as large as it is, in all of the process;
 * called before tables of memory are opened. Rows and vectors in batches would double it again and
 * again, to 32 MB, and take no less processor time for it. What is loaded later is compiled: code
 * that was kept is taken by an engine with the flags of the start alone. When the process ends, the
 * flag is set back to the engine's default, so that code kept then fits the next start.
 */
export const keepYoungSpace = once(() => {
  setFlagsFromString('--semi-space-growth-factor=1');
  process.prependOnceListener('exit', () => setFlagsFromString('--semi-space-growth-factor=2'));
});

/** While indices of 45,000 pieces of code are built, 75 MB less than with LanceDB's own 8,192. */
const batchRows = 1_024;

/**
 * LanceDB takes the number of rows that it reads at once from the environment only. Call this
 * before it is loaded; a person's own value stays.
 */
export function limitLanceBatches(env: Record<string, string | undefined> = process.env): void {
  env.LANCE_DEFAULT_BATCH_SIZE ??= String(batchRows);
}
