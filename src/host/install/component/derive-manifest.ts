import type { Manifest, Want } from '../../../contracts/capability.ts';
import { fault } from './byte-reader.ts';

const maxNameLength = 64;
/** Describes a plugin that is named after its file. */
export const derivedDescription = 'A component without a manifest; its tools are what it exports.';

/**
 * Makes a manifest for a binary without one: the name of its file, version 0.0.0, and the wants of
 * its imports.
 *
 * @param file path or name, e.g. `dir/My_Tool.wasm`, which gives `my-tool`
 * @throws {KernelError} `plugin-fault` when the file's name makes no plugin name
 */
export function deriveManifest(file: string, wants: readonly Want[]): Manifest {
  const base = file.replace(/^.*[/\\]/, '').replace(/(\.component|\.core)?\.wasm$/i, '');
  const name = base
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, maxNameLength)
    .replace(/-+$/, '');
  if (name === '') {
    throw fault(
      'it has no manifest, and its file name is not a name of a plugin: rename it to one like my-tool.wasm',
    );
  }
  return {
    name,
    version: '0.0.0',
    description: derivedDescription,
    wants,
  };
}
