import { setFlagsFromString } from 'node:v8';

/**
 * From now on the engine's space for young objects stays as large as it is, in all of the process;
 * called before memory is opened. Rows and vectors in batches would double it again and again, to
 * 32 MB, and take no less processor time for it.
 */
export function keepYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
