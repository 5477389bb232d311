import { isPreviewOne } from '../component/preview-one.ts';
import type { BinaryShape } from '../component/read-component.ts';
import { runChild } from './run-child.ts';
import type { TranspileOptions } from './transpile-component.ts';

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
