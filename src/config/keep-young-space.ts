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
