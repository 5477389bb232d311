import type { Item, Sort } from './component-items.ts';
import { type CoreModule, type CoreType, readCoreModule } from './core-module.ts';

/** Interfaces that the engine imports for itself; none of them is in a plugin's world. */
const ofEngine = /^(?:wasi:|local:init\/)/;
/** The export that identifies the engine's WASI adapter. */
export const adapterExport = 'reset_adapter_state';

export function modulesOf(items: readonly Item[]): CoreModule[] {
  return items.filter(({ kind }) => kind === 'module').map(({ bytes }) => readCoreModule(bytes));
}

export function adapterOf(modules: readonly CoreModule[]): number {
  return modules.findIndex(({ imports, exports }) => {
    return exports.includes(adapterExport) && imports.some(({ module }) => ofEngine.test(module));
  });
}

/** Numbers of what goes, each by the sort that it is counted in. */
export type Removal = {
  instances: Map<number, string>;
  /** types of imported interfaces, which are empty then */
  interfaces: Set<number>;
  types: Set<number>;
  /** component functions -> what they are called */
  funcs: Map<number, string>;
  /** core functions -> what they are called in the module that stands in for them */
  coreFuncs: Map<number, string>;
};

export function findRemoved(items: readonly Item[]): Removal {
  const removal: Removal = {
    instances: new Map(),
    interfaces: new Set(),
    types: new Set(),
    funcs: new Map(),
    coreFuncs: new Map(),
  };
  const count = createCounts();
  for (const item of items) {
    const at = (sort: Sort): number => count.of(sort);
    if (item.kind === 'import' && ofEngine.test(item.name)) {
      removal.instances.set(at('instance'), item.name);
      removal.interfaces.add(item.index);
    } else if (item.kind === 'alias-export' && removal.instances.has(item.instance)) {
      const name = `${removal.instances.get(item.instance)}#${item.name}`;
      if (item.sort === 'type') removal.types.add(at('type'));
      else if (item.sort === 'func') removal.funcs.set(at('func'), name);
      else throw new RangeError(`"${name}" is not a function and no type`);
    } else if (item.kind === 'lower') {
      const name = removal.funcs.get(item.func);
      if (name !== undefined) removal.coreFuncs.set(at('core-func'), name);
    } else if (item.kind === 'resource-drop' && removal.types.has(item.type)) {
      removal.coreFuncs.set(at('core-func'), `drop ${item.type}`);
    }
    count.take(item);
  }
  return removal;
}

type Counts = { of(sort: Sort): number; take(item: Item): void };

/** How many of each sort there are so far. */
export function createCounts(): Counts {
  const counts = new Map<Sort, number>();
  const add = (sort: Sort, many = 1): void => {
    counts.set(sort, (counts.get(sort) ?? 0) + many);
  };
  return {
    of: (sort) => counts.get(sort) ?? 0,
    take: (item) => {
      if (item.kind === 'types') add('type', item.count);
      else if (item.kind === 'import') add(item.sort);
      else if (item.kind === 'alias-export' || item.kind === 'alias-other') add(item.sort);
      else if (item.kind === 'lift') add('func');
      else if (item.kind === 'lower' || item.kind === 'resource-drop') add('core-func');
      else if (item.kind === 'instantiate' || item.kind === 'exports') add('instance');
      else if (item.kind === 'export') add(item.named.sort);
    },
  };
}

/** Each core function by the type that the module expects which is given it. */
export function typesOfCoreFunctions(
  items: readonly Item[],
  modules: readonly CoreModule[],
): Map<number, CoreType> {
  const types = new Map<number, CoreType>();
  const given: Map<string, number>[] = [];
  for (const item of items) {
    if (item.kind === 'core-exports') {
      const functions = item.exports.filter(({ sort }) => sort === 'core-func');
      given.push(new Map(functions.map(({ name, index }) => [name, index])));
    }
    if (item.kind !== 'core-instantiate') continue;
    given.push(new Map());
    for (const { module, name, type } of modules[item.module]?.imports ?? []) {
      const index = given[item.args.get(module) ?? -1]?.get(name);
      if (index !== undefined) types.set(index, type);
    }
  }
  return types;
}
