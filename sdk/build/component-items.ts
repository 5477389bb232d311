import { readSections, type Section, WasmReader } from './wasm-bytes.ts';

export const sectionId = {
  custom: 0,
  coreModule: 1,
  coreInstance: 2,
  component: 4,
  instance: 5,
  alias: 6,
  type: 7,
  canon: 8,
  import: 10,
  export: 11,
} as const;

/** What an index counts. Other sorts do not occur among what is rewritten. */
export type Sort = 'core-func' | 'core-other' | 'func' | 'type' | 'component' | 'instance';

export type Reference = { sort: Sort; index: number };

/** A name with what it stands for; `start` and `end` are where the reference lies in `bytes`. */
export type Named = Reference & { name: string; start: number; end: number };

/**
 * One definition of a component, in the order of the file. `bytes` is how it stands there; of a
 * section that is not looked into, all of its content.
 */
export type Item = { section: number; bytes: Uint8Array } & (
  | { kind: 'module' }
  | { kind: 'types'; count: number }
  | { kind: 'core-instantiate'; module: number; args: Map<string, number> }
  | { kind: 'core-exports'; exports: Named[] }
  | { kind: 'instantiate' | 'exports'; names: Named[] }
  | { kind: 'alias-export'; sort: Sort; instance: number; name: string }
  | { kind: 'alias-other'; sort: Sort }
  | { kind: 'lift' }
  | { kind: 'lower'; func: number; optionsAt: number }
  | { kind: 'resource-drop'; type: number }
  | { kind: 'import'; name: string; sort: Sort; index: number }
  | { kind: 'export'; named: Named }
  | { kind: 'other' }
);

type Decoded = Item extends infer Each
  ? Each extends Item
    ? Omit<Each, 'section' | 'bytes'>
    : never
  : never;

/** @throws {RangeError} for a form that the engine of this version does not write */
export function readItems(component: Uint8Array): Item[] {
  return readSections(component).flatMap(itemsOf);
}

function itemsOf({ id, content }: Section): Item[] {
  if (id === sectionId.coreModule) return [{ section: id, bytes: content, kind: 'module' }];
  if (id === sectionId.type) {
    const count = new WasmReader(content).u32();
    return [{ section: id, bytes: content, kind: 'types', count }];
  }
  const decode = decoders.get(id);
  if (decode === undefined) return [{ section: id, bytes: content, kind: 'other' }];
  const reader = new WasmReader(content);
  return reader.list(() => {
    const start = reader.at;
    const decoded = decode(reader, start);
    return { section: id, bytes: content.subarray(start, reader.at), ...decoded } as Item;
  });
}

const decoders = new Map<number, (reader: WasmReader, start: number) => Decoded>([
  [sectionId.coreInstance, coreInstance],
  [sectionId.instance, instance],
  [sectionId.alias, alias],
  [sectionId.canon, canon],
  [sectionId.import, importItem],
  [sectionId.export, exportItem],
]);

function coreInstance(reader: WasmReader, start: number): Decoded {
  if (reader.u8() === 1) {
    const exports = reader.list((): Named => {
      const name = reader.name();
      const sort = coreSort(reader);
      const at = reader.at - start;
      return { name, sort, index: reader.u32(), start: at, end: reader.at - start };
    });
    return { kind: 'core-exports', exports };
  }
  const module = reader.u32();
  const args = reader.list((): [string, number] => {
    const name = reader.name();
    reader.u8();
    return [name, reader.u32()];
  });
  return { kind: 'core-instantiate', module, args: new Map(args) };
}

function instance(reader: WasmReader, start: number): Decoded {
  const isExports = reader.u8() === 1;
  if (!isExports) reader.u32();
  const names = reader.list(() => {
    const name = isExports ? externName(reader) : reader.name();
    return named(reader, start, name);
  });
  return { kind: isExports ? 'exports' : 'instantiate', names };
}

function named(reader: WasmReader, start: number, name: string): Named {
  const sort = sortOf(reader);
  const at = reader.at - start;
  return { name, sort, index: reader.u32(), start: at, end: reader.at - start };
}

function alias(reader: WasmReader): Decoded {
  const sort = sortOf(reader);
  const target = reader.u8();
  if (target === 0) {
    return { kind: 'alias-export', sort, instance: reader.u32(), name: reader.name() };
  }
  reader.u32();
  if (target === 1) reader.name();
  else reader.u32();
  return { kind: 'alias-other', sort };
}

function canon(reader: WasmReader, start: number): Decoded {
  const form = reader.u8();
  if (form === 0x03) return { kind: 'resource-drop', type: reader.u32() };
  if (form !== 0x00 && form !== 0x01) throw new RangeError(`a canonical function of form ${form}`);
  reader.u8();
  const func = reader.u32();
  const optionsAt = reader.at - start;
  reader.list(() => {
    if (reader.u8() >= 0x03) reader.u32();
  });
  if (form === 0x01) return { kind: 'lower', func, optionsAt };
  reader.u32();
  return { kind: 'lift' };
}

function importItem(reader: WasmReader): Decoded {
  const name = externName(reader);
  const sort = sorts[reader.u8()];
  if (sort !== 'instance') throw new RangeError(`an import of "${name}" that is not an interface`);
  return { kind: 'import', name, sort, index: reader.u32() };
}

function exportItem(reader: WasmReader, start: number): Decoded {
  const item = named(reader, start, externName(reader));
  if (reader.u8() === 1) throw new RangeError(`an export "${item.name}" with a type of its own`);
  return { kind: 'export', named: item };
}

function externName(reader: WasmReader): string {
  reader.u8();
  return reader.name();
}

const sorts: readonly (Sort | undefined)[] = [
  undefined,
  'func',
  undefined,
  'type',
  'component',
  'instance',
];

function sortOf(reader: WasmReader): Sort {
  const sort = reader.u8();
  if (sort === 0) return coreSort(reader);
  const known = sorts[sort];
  if (known === undefined) throw new RangeError(`an item of sort ${sort}`);
  return known;
}

function coreSort(reader: WasmReader): Sort {
  return reader.u8() === 0 ? 'core-func' : 'core-other';
}
