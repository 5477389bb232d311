import { dirname, join } from 'node:path';
import { engineFlags } from '../../../sandbox/engine-flags.ts';
import { runChild } from './run-child.ts';
import type { TranspileOptions } from './transpile-component.ts';

/** Code for the engine that made it: another one compiles the script itself. */
export const codeFile = 'component.code';

/**
 * Makes a code cache of a script for plugin processes. The script does not run, and the cache is
 * made of the same bytes under the same confinement: it is trusted exactly as the script.
 *
 * @param script UTF-8
 * @param options.bundle that of the transpiler, beside which the compiler's lies
 * @throws {KernelError} `plugin-fault` for text that is not a script, `deadline-exceeded`
 */
export async function compileScript(
  script: Uint8Array,
  options: TranspileOptions,
): Promise<Buffer> {
  return await runChild(script, {
    ...options,
    bundle: join(dirname(options.bundle), 'compile.cjs'),
    flags: engineFlags,
    doing: 'compiling the glue',
    failed: 'the glue cannot be compiled',
  });
}
