import { type Item, readItems, type Sort, sectionId } from './component-items.ts';
import { type CoreModule, type CoreType, readCoreModule } from './core-module.ts';
import { type TrapFunction, trapModule } from './trap-module.ts';
import {
  leb128,
  listBytes,
  nameBytes,
  preambleBytes,
  readSections,
  sectionBytes,
} from './wasm-bytes.ts';

/** Interfaces that the engine imports for itself; none of them is in a plugin's world. */
const ofEngine = /^(?:wasi:|local:init\/)/;
/** What the engine's adapter of WASI is known by. */
const adapterExport = 'reset_adapter_state';

/**
 * The engine's component without what it imports for itself: its functions of WASI become
 * functions of one small core module, in place of the adapter, and trap. No second component
 * stands in for WASI, so an instance has half as many parts and no resources.
 *
 * @param component of the engine, with its imports of WASI
 * @throws {RangeError} for a structure that is not the known one
 */
export function withoutWasi(component: Uint8Array): Uint8Array {
  const engine = readSections(component)
    .filter(({ id }) => id === sectionId.component)
    .map(({ content }) => ({ content, items: readItems(content) }))
    .find(({ items }) => adapterOf(modulesOf(items)) >= 0);
  if (engine === undefined) throw new RangeError('the engine has no adapter of WASI');
  const { items } = engine;
  const removal = findRemoved(items);
  const modules = modulesOf(items);
  const types = typesOfCoreFunctions(items, modules);
  const preamble = engine.content.subarray(0, preambleBytes);
  return Buffer.concat([preamble, ...rewrite(items, modules, removal, types)]);
}

function modulesOf(items: readonly Item[]): CoreModule[] {
  return items.filter(({ kind }) => kind === 'module').map(({ bytes }) => readCoreModule(bytes));
}

function adapterOf(modules: readonly CoreModule[]): number {
  return modules.findIndex(({ imports, exports }) => {
    return exports.includes(adapterExport) && imports.some(({ module }) => ofEngine.test(module));
  });
}

/** Numbers of what goes, each by the sort that it is counted in. */
type Removal = {
  instances: Map<number, string>;
  /** types of imported interfaces, which are empty then */
  interfaces: Set<number>;
  types: Set<number>;
  /** component functions -> what they are called */
  funcs: Map<number, string>;
  /** core functions -> what they are called in the module that stands in for them */
  coreFuncs: Map<number, string>;
};

function findRemoved(items: readonly Item[]): Removal {
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
      else throw new RangeError(`"${name}" is no function and no type`);
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
function createCounts(): Counts {
  const counts = new Map<Sort | 'core-instance' | 'module', number>();
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
function typesOfCoreFunctions(
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

function rewrite(
  items: readonly Item[],
  modules: readonly CoreModule[],
  removal: Removal,
  types: ReadonlyMap<number, CoreType>,
): Uint8Array[] {
  const adapter = adapterOf(modules);
  const stand = standIn(items, adapter, removal, types);
  const count = createCounts();
  const funcs = renumbered(items, removal);
  const written: Uint8Array[] = [];
  let module = 0;
  for (const [index, item] of items.entries()) {
    const replaced = (): Uint8Array => {
      switch (item.kind) {
        case 'module':
          module += 1;
          return sectionBytes(item.section, module - 1 === adapter ? stand.module : item.bytes);
        case 'types':
          return isRemovedInterface(item, count.of('type'), removal)
            ? sectionBytes(item.section, listBytes([emptyInterface]))
            : sectionBytes(item.section, item.bytes);
        case 'import':
          return removal.instances.has(count.of('instance')) ? emptyInstance : entry(item);
        case 'alias-export':
          if (removal.types.has(count.of('type')) && item.sort === 'type') return noResource;
          return removal.funcs.has(count.of('func')) && item.sort === 'func'
            ? nothing
            : entry(item);
        case 'lower':
        case 'resource-drop': {
          const name = removal.coreFuncs.get(count.of('core-func'));
          if (name !== undefined) return coreAlias(stand.exportFor(name, index));
          if (item.kind === 'resource-drop') return entry(item);
          return entry(item, [1, 0, ...leb128(funcs(item.func))], item.optionsAt);
        }
        case 'instantiate':
        case 'exports':
          return entryWith(item, item.names, funcs);
        case 'export':
          return entryWith(item, [item.named], funcs);
        case 'other':
          // Names of definitions go by numbers that are others now.
          return item.section === sectionId.custom
            ? nothing
            : sectionBytes(item.section, item.bytes);
        default:
          return entry(item);
      }
    };
    written.push(replaced());
    count.take(item);
  }
  return written;
}

const nothing = new Uint8Array();
/** `(type (instance))` */
const emptyInterface = Uint8Array.of(0x42, 0x00);
/** `(instance)`, with exports in place and none of them */
const emptyInstance = sectionBytes(sectionId.instance, listBytes([Uint8Array.of(0x01, 0x00)]));
/** `(type (resource (rep i32)))`, for a number that nothing uses any more */
const noResource = sectionBytes(sectionId.type, listBytes([Uint8Array.of(0x3f, 0x7f, 0x00)]));

/** A section of one definition; `head` in place of its first `replaced` bytes. */
function entry(item: Item, head: readonly number[] = [], replaced = 0): Uint8Array {
  const bytes = Buffer.concat([Uint8Array.from(head), item.bytes.subarray(replaced)]);
  return sectionBytes(item.section, listBytes([bytes]));
}

/** The same with functions by their new numbers. */
function entryWith(
  item: Item,
  names: readonly { sort: Sort; index: number; start: number; end: number }[],
  funcs: (index: number) => number,
): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const { sort, index, start, end } of names) {
    if (sort !== 'func') continue;
    parts.push(item.bytes.subarray(from, start), Uint8Array.from(leb128(funcs(index))));
    from = end;
  }
  return sectionBytes(
    item.section,
    listBytes([Buffer.concat([...parts, item.bytes.subarray(from)])]),
  );
}

/** An interface has its type in a section of its own, just before it is imported. */
function isRemovedInterface(
  item: Item & { kind: 'types' },
  first: number,
  { interfaces }: Removal,
): boolean {
  const removed = Array.from({ length: item.count }, (_, at) => first + at).some((at) =>
    interfaces.has(at),
  );
  if (removed && item.count > 1) throw new RangeError('types of WASI stand among others');
  return removed;
}

/** @returns the new number of a component function that stays */
function renumbered(items: readonly Item[], { funcs }: Removal): (index: number) => number {
  const count = createCounts();
  for (const item of items) count.take(item);
  const numbers: number[] = [];
  for (let index = 0, next = 0; index < count.of('func'); index += 1) {
    numbers.push(funcs.has(index) ? -1 : next++);
  }
  return (index) => {
    const number = numbers[index] ?? -1;
    if (number < 0) throw new RangeError(`function ${index} is of WASI, and used`);
    return number;
  };
}

type StandIn = {
  module: Uint8Array;
  /** where a core function is found that is removed at the item of this number */
  exportFor(name: string, at: number): CoreExport;
};

type CoreExport = { instance: number; name: string };

/** The module in place of the adapter, which is made into an instance where the adapter was. */
function standIn(
  items: readonly Item[],
  adapter: number,
  { coreFuncs }: Removal,
  types: ReadonlyMap<number, CoreType>,
): StandIn {
  const made = items.filter(({ kind }) => kind === 'core-instantiate' || kind === 'core-exports');
  const isAdapter = (item: Item): boolean =>
    item.kind === 'core-instantiate' && item.module === adapter;
  const place = items.findIndex(isAdapter);
  const instance = made.findIndex(isAdapter);
  const first = made[0];
  const before =
    first?.kind === 'core-instantiate' ? items.filter(isModule)[first.module] : undefined;
  const [anyFunction] = before === undefined ? [] : readCoreModule(before.bytes).exports;
  if (place < 0 || anyFunction === undefined) throw new RangeError('the engine has no shim');
  const functions = new Map<string, TrapFunction>([
    [adapterExport, { name: adapterExport, type: noValues, isIdle: true }],
    ['cabi_import_realloc', { name: 'cabi_import_realloc', type: realloc }],
  ]);
  for (const [index, name] of coreFuncs) {
    const type = types.get(index);
    if (type !== undefined) functions.set(name, { name, type });
  }
  return {
    module: trapModule([...functions.values()]),
    // What only the adapter was given has no use, and has to be something.
    exportFor: (name, at) =>
      at > place && functions.has(name) ? { instance, name } : { instance: 0, name: anyFunction },
  };
}

function isModule({ kind }: Item): boolean {
  return kind === 'module';
}

const noValues: CoreType = Uint8Array.of(0x60, 0x00, 0x00);
/** four numbers of 32 bits to one */
const realloc: CoreType = Uint8Array.of(0x60, 0x04, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f);

/** `(alias core export INSTANCE NAME (core func))` */
function coreAlias({ instance, name }: CoreExport): Uint8Array {
  const target = Uint8Array.from([0x00, 0x00, 0x01, ...leb128(instance)]);
  return sectionBytes(sectionId.alias, listBytes([Buffer.concat([target, nameBytes(name)])]));
}
