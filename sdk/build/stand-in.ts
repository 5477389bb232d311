import type { Item } from './component-items.ts';
import type { CoreModule, CoreType } from './core-module.ts';
import { adapterExport, type Removal, typesOfCoreFunctions } from './engine-imports.ts';
import { type TrapFunction, trapModule } from './trap-module.ts';

export type StandIn = {
  module: Uint8Array;
  /** where a core function is found that is removed at the item of this number */
  exportFor(name: string, at: number): CoreExport;
};

export type CoreExport = { instance: number; name: string };

/** The module in place of the adapter, which is made into an instance where the adapter was. */
export function standIn(
  items: readonly Item[],
  modules: readonly CoreModule[],
  adapter: number,
  { coreFuncs }: Removal,
): StandIn {
  const made = items.filter(({ kind }) => kind === 'core-instantiate' || kind === 'core-exports');
  const isAdapter = (item: Item): boolean =>
    item.kind === 'core-instantiate' && item.module === adapter;
  const place = items.findIndex(isAdapter);
  const instance = made.findIndex(isAdapter);
  const first = made[0];
  const [anyFunction] =
    first?.kind === 'core-instantiate' ? (modules[first.module]?.exports ?? []) : [];
  if (place < 0 || anyFunction === undefined) throw new RangeError('the engine has no shim');
  const functions = new Map<string, TrapFunction>([
    [adapterExport, { name: adapterExport, type: noValues, isIdle: true }],
    ['cabi_import_realloc', { name: 'cabi_import_realloc', type: realloc }],
  ]);
  const types = typesOfCoreFunctions(items, modules);
  for (const [index, name] of coreFuncs) {
    const type = types.get(index);
    if (type !== undefined) functions.set(name, { name, type });
  }
  return {
    module: trapModule([...functions.values()]),
    // Values for the adapter alone are never used, but must exist.
    exportFor: (name, at) =>
      at > place && functions.has(name) ? { instance, name } : { instance: 0, name: anyFunction },
  };
}

const noValues: CoreType = Uint8Array.of(0x60, 0x00, 0x00);
/** four numbers of 32 bits to one */
const realloc: CoreType = Uint8Array.of(0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f);
