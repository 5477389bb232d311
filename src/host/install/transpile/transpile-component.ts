import type { Confine } from '../../../contracts/confined-program.ts';
import { KernelError } from '../../../contracts/error.ts';
import { checkCoreNames } from './check-core-names.ts';
import { runChild } from './run-child.ts';

const maxFiles = 200;
/** File names that jco may give; no other name becomes a path of ours. */
const fileName = /^component(\.core\d*\.wasm|\.js)$/;

/**
 * A transpiler that runs for a second alone is not worth the fast code: compiling it takes more time
 * than it saves, until a component has some MB.
 */
const quickBytes = 6 * 1024 * 1024;
const plainCode = ['--max-old-space-size=1024', '--no-warnings', '--liftoff-only', '--no-opt'];

export type TranspileOptions = {
  /** built bundle of `child.ts`; its wasm files lie beside it */
  bundle: string;
  confine: Confine;
  timeoutMs: number;
  signal: AbortSignal;
};

/**
 * JavaScript glue and core modules of a component, made in a process of its own.
 *
 * @returns file name -> bytes
 * @throws {KernelError} `plugin-fault` when the component cannot be transpiled, or names of its
 *   core modules would be code in the glue,
 *   `deadline-exceeded` when that takes longer than `timeoutMs`
 */
export async function transpileComponent(
  component: Uint8Array,
  options: TranspileOptions,
): Promise<Map<string, Buffer>> {
  const output = await runChild(component, {
    ...options,
    ...(component.byteLength < quickBytes ? { flags: plainCode } : {}),
    doing: 'transpiling',
    failed: 'the component cannot be transpiled',
  });
  const files = unpack(output);
  for (const [name, bytes] of files) if (name.endsWith('.wasm')) checkCoreNames(bytes);
  return files;
}

function unpack(output: Buffer): Map<string, Buffer> {
  const end = output.indexOf(10);
  const list = JSON.parse(output.subarray(0, end).toString('utf8')) as [string, number][];
  if (list.length > maxFiles) {
    throw new KernelError(
      'plugin-fault',
      `the component has ${list.length} parts, limit ${maxFiles}`,
    );
  }
  const files = new Map<string, Buffer>();
  let offset = end + 1;
  for (const [name, length] of list) {
    // Interface files are types only, and their names come from the binary.
    if (fileName.test(name)) files.set(name, output.subarray(offset, offset + length));
    else if (!name.startsWith('interfaces/')) {
      throw new KernelError('plugin-fault', `the transpiler made an unexpected file "${name}"`);
    }
    offset += length;
  }
  return files;
}
