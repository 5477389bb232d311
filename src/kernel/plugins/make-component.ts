import { join } from 'node:path';
import { wrapModule } from '../../host/install/transpile/wrap-module.ts';
import { defaultLimits } from '../../host/limits.ts';
import { createProcessSandbox } from '../../sandbox/process-sandbox.ts';

/**
 * A component of a core module that an author's own toolchain made, with the types of its imports
 * and exports in it.
 *
 * @param adapter what its calls of WASI preview 1 go through; undefined where it makes none
 * @param dist folder of the built bundles
 */
export async function makeComponent(
  module: Uint8Array,
  adapter: 'reactor' | undefined,
  dist: string,
): Promise<Uint8Array> {
  return await wrapModule(module, adapter ?? 'none', {
    bundle: join(dist, 'wrap.js'),
    confine: createProcessSandbox('none').confine,
    timeoutMs: defaultLimits.transpileTimeoutMs,
    signal: new AbortController().signal,
  });
}
