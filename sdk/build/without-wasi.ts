import { type Item, readItems, type Sort, sectionId } from './component-items.ts';
import type { CoreModule } from './core-module.ts';
import { adapterOf, createCounts, findRemoved, modulesOf, type Removal } from './engine-imports.ts';
import { type CoreExport, standIn } from './stand-in.ts';
import {
  leb128,
  listBytes,
  nameBytes,
  preambleBytes,
  readSections,
  sectionBytes,
} from './wasm-bytes.ts';

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
    .map(({ content }) => {
      const items = readItems(content);
      return { content, items, modules: modulesOf(items) };
    })
    .find(({ modules }) => adapterOf(modules) >= 0);
  if (engine === undefined) throw new RangeError('the engine has no adapter of WASI');
  const { content, items, modules } = engine;
  const preamble = content.subarray(0, preambleBytes);
  return Buffer.concat([preamble, ...rewrite(items, modules)]);
}

function rewrite(items: readonly Item[], modules: readonly CoreModule[]): Uint8Array[] {
  const adapter = adapterOf(modules);
  const removal = findRemoved(items);
  const stand = standIn(items, modules, adapter, removal);
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
  if (removed && item.count > 1) throw new RangeError('types of WASI are mixed with others');
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

/** `(alias core export INSTANCE NAME (core func))` */
function coreAlias({ instance, name }: CoreExport): Uint8Array {
  const target = Uint8Array.from([0x00, 0x00, 0x01, ...leb128(instance)]);
  return sectionBytes(sectionId.alias, listBytes([Buffer.concat([target, nameBytes(name)])]));
}
