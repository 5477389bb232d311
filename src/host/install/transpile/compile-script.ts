import { dirname, join } from 'node:path';
import { engineFlags } from '../../tier/engine-flags.ts';
import { runChild } from './run-child.ts';
import type { TranspileOptions } from './transpile-component.ts';

/** Code for the engine that made it: another one compiles the script itself. */
export const codeFile = 'component.code';

/**
 * What the engine makes of a script, for plugin processes to start with. Nothing of the script
 * runs, and it comes of the same bytes and in the same confinement as the script itself: it is
 * trusted no more and no less.
 *
 * @param script UTF-8
 * @param options.bundle that of the transpiler, beside which the compiler's lies
 * @throws {KernelError} `plugin-fault` for what is not a script, `deadline-exceeded`
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
