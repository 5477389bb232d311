import { readSections, type Section, WasmReader } from './wasm-bytes.ts';

/** Bytes of a function type as they stand in the module. */
export type CoreType = Uint8Array;

export type CoreModule = {
  /** module and name of each function that is imported, with its type */
  imports: { module: string; name: string; type: CoreType }[];
  /** names of exported functions */
  exports: string[];
};

const sectionOf = { type: 1, import: 2, export: 7 };
const kindOf = { func: 0, table: 1, memory: 2, global: 3 };
const functionType = 0x60;

/** What a core module imports and exports, of functions only. */
export function readCoreModule(module: Uint8Array): CoreModule {
  const sections = readSections(module);
  const types = read(sections, sectionOf.type, coreType);
  const imports = read(sections, sectionOf.import, (reader) => {
    const [importing, name] = [reader.name(), reader.name()];
    const type = importedFunction(reader);
    return { module: importing, name, type: type === undefined ? undefined : types[type] };
  });
  const exports = read(sections, sectionOf.export, (reader) => {
    const name = reader.name();
    const isFunction = reader.u8() === kindOf.func;
    reader.u32();
    return isFunction ? [name] : [];
  });
  return {
    imports: imports.flatMap(({ module: from, name, type }) =>
      type === undefined ? [] : [{ module: from, name, type }],
    ),
    exports: exports.flat(),
  };
}

function read<Item>(
  sections: readonly Section[],
  id: number,
  item: (reader: WasmReader) => Item,
): Item[] {
  const section = sections.find((each) => each.id === id);
  if (section === undefined) return [];
  const reader = new WasmReader(section.content);
  return reader.list(() => item(reader));
}

function coreType(reader: WasmReader): CoreType {
  const start = reader.at;
  if (reader.u8() !== functionType) throw new RangeError('a type that is not a function');
  reader.list(() => reader.u8());
  reader.list(() => reader.u8());
  return reader.bytes.subarray(start, reader.at);
}

/** @returns number of its type; undefined for what is not a function */
function importedFunction(reader: WasmReader): number | undefined {
  const kind = reader.u8();
  if (kind === kindOf.func) return reader.u32();
  if (kind === kindOf.table || kind === kindOf.global) reader.u8();
  if (kind === kindOf.global) reader.u8();
  else skipLimits(reader);
  return undefined;
}

function skipLimits(reader: WasmReader): void {
  const hasMost = (reader.u8() & 1) === 1;
  reader.u32();
  if (hasMost) reader.u32();
}
