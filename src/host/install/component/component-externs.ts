import type { ByteReader } from './byte-reader.ts';
import { fault } from './byte-reader.ts';

/** The name and kind of an import or export. `module` is a core module. */
export type ExternKind = 'module' | 'func' | 'value' | 'type' | 'component' | 'instance';

export type Extern = { name: string; kind: ExternKind };

/** Limits of the Component Model's binary format for what is shown to people. */
export const maxNameBytes = 1_024;
const maxAttributes = 3;

/** `import`: name with attributes, then the type of what is imported. */
export function readComponentImport(body: ByteReader): Extern {
  const name = readExternName(body, 'an import name');
  return { name, kind: readExternType(body) };
}

/** `export`: name with attributes, what is exported, and optionally its type. */
export function readComponentExport(body: ByteReader): Extern {
  const name = readExternName(body, 'an export name');
  const kind = readSort(body);
  body.u32('an index');
  const at = body.offset;
  const ascribed = body.u8('the presence of a type');
  if (ascribed > 1) throw fault(`malformed at offset ${at}: ${ascribed} is neither 0 nor 1`);
  if (ascribed === 1) readExternType(body);
  // A core sort other than a module is not exportable.
  if (kind === 'core') throw fault(`malformed at offset ${at}: export "${name}" is of a core sort`);
  return { name, kind };
}

/**
 * The name of an import or export. Prefixes 0x00 and 0x01 mean the same; 0x02 is followed by
 * attributes (`implements`, version suffix, external id), each at most once. They are passed over:
 * the name alone decides, and a name that needs one to be understood is not a name we know.
 */
export function readExternName(body: ByteReader, what: string): string {
  const at = body.offset;
  const prefix = body.u8(what);
  if (prefix > 2) throw fault(`malformed at offset ${at}: unknown prefix ${prefix} of ${what}`);
  const name = body.name(what, maxNameBytes);
  if (prefix === 2) {
    const count = body.count('name attributes');
    if (count > maxAttributes) {
      throw fault(`malformed at offset ${at}: ${count} attributes of ${what}, limit 3`);
    }
    const seen = new Set<number>();
    for (let index = 0; index < count; index += 1) {
      const attributeAt = body.offset;
      const attribute = body.u8('a name attribute');
      if (attribute > 2 || seen.has(attribute)) {
        throw fault(`malformed at offset ${attributeAt}: unknown or repeated name attribute`);
      }
      seen.add(attribute);
      body.name('a name attribute', maxNameBytes);
    }
  }
  return name;
}

/** The sort of a definition; `core` stands for every core sort but a module. */
export function readSort(body: ByteReader): ExternKind | 'core' {
  const at = body.offset;
  switch (body.u8('a sort')) {
    case 0x00:
      return readCoreSort(body) === 0x11 ? 'module' : 'core';
    case 0x01:
      return 'func';
    case 0x02:
      return 'value';
    case 0x03:
      return 'type';
    case 0x04:
      return 'component';
    case 0x05:
      return 'instance';
    default:
      throw fault(`malformed at offset ${at}: unknown sort`);
  }
}

function readCoreSort(body: ByteReader): number {
  const at = body.offset;
  const sort = body.u8('a core sort');
  const known = sort <= 0x04 || (sort >= 0x10 && sort <= 0x12);
  if (!known) throw fault(`malformed at offset ${at}: unknown core sort ${sort}`);
  return sort;
}

function readExternType(body: ByteReader): ExternKind {
  const at = body.offset;
  const tag = body.u8('the type of an import or export');
  switch (tag) {
    case 0x00: {
      const sort = body.u8('a core sort');
      if (sort !== 0x11) throw fault(`malformed at offset ${at}: only core modules have types`);
      body.u32('a type index');
      return 'module';
    }
    case 0x01:
      body.u32('a type index');
      return 'func';
    case 0x02: {
      const bound = body.u8('the bound of a value');
      if (bound > 1) throw fault(`malformed at offset ${at}: unknown bound of a value`);
      // an index, or a value type: an index as signed LEB128, or one byte
      body.skipNumber('the bound of a value', 5);
      return 'value';
    }
    case 0x03: {
      const bound = body.u8('the bound of a type');
      if (bound > 1) throw fault(`malformed at offset ${at}: unknown bound of a type`);
      if (bound === 0) body.u32('a type index');
      return 'type';
    }
    case 0x04:
      body.u32('a type index');
      return 'component';
    case 0x05:
      body.u32('a type index');
      return 'instance';
    default:
      throw fault(`malformed at offset ${at}: unknown type ${tag} of an import or export`);
  }
}
