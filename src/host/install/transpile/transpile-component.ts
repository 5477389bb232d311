import { dirname, join } from 'node:path';
import type { Confine } from '../../../contracts/confined-program.ts';
import { KernelError } from '../../../contracts/error.ts';
import { quoteText } from '../../../lib/text/printable.ts';
import { engineFlags } from '../../../sandbox/engine-flags.ts';
import { fault } from '../component/byte-reader.ts';
import { isPreviewOne } from '../component/component-externs.ts';
import { coreNames } from '../component/core-module.ts';
import type { BinaryShape } from '../component/read-component.ts';
import { runChild } from './run-child.ts';

/** Ends a text in JavaScript, or has a meaning in one. */
const ends = /['"`\\]/;

/**
 * Glue writes the names by which core modules take and give into its own text as they are, each in
 * quotes. One that closes them would be a part of the program.
 *
 * @param bytes a core module as the transpiler gave it out
 * @throws {KernelError} `plugin-fault` that names the first such name, and for a malformed module
 */
function checkCoreNames(bytes: Uint8Array): void {
  for (const { verb, name } of coreNames(bytes)) {
    // This key of an object sets what the object inherits from.
    if (!ends.test(name) && name !== '__proto__') continue;
    throw fault(
      `a core module ${verb} ${quoteText(name)}, which would be code in the JavaScript around it`,
    );
  }
}

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

/**
 * Which adapter makes a component of a core module: `command` for a program, `reactor` for a
 * library that says what it exports.
 *
 * @returns undefined for a module that is made for something other than WASI preview 1
 */
export function adapterFor(shape: BinaryShape): 'command' | 'reactor' | undefined {
  if (shape.kind !== 'module') return undefined;
  const ofWasi = shape.imports.every(({ name, kind }) => kind === 'func' && isPreviewOne(name));
  const starts = shape.exports.some(({ name, kind }) => name === '_start' && kind === 'func');
  if (!ofWasi || (shape.imports.length === 0 && !starts)) return undefined;
  return starts ? 'command' : 'reactor';
}

/**
 * A WASI preview-1 module as a component, made in a process of its own; the adapter `none` takes a
 * module without WASI that holds the types of its imports and exports. Unused parts of the adapter
 * are left out, so that the component imports only what the module can reach.
 *
 * @throws {KernelError} `plugin-fault` when none can be made, `deadline-exceeded`
 */
export async function wrapModule(
  module: Uint8Array,
  adapter: 'command' | 'reactor' | 'none',
  options: TranspileOptions,
): Promise<Buffer> {
  return await runChild(module, {
    ...options,
    args: [adapter],
    doing: 'making a component of the module',
    failed: 'no component can be made of the module',
  });
}

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
