import { KernelError } from '../../../contracts/error.ts';
import { ByteReader, fault } from './byte-reader.ts';
import {
  componentSections,
  type Extern,
  headers,
  hexOf,
  maxNameBytes,
  maxSections,
  readComponentExport,
  readComponentImport,
} from './component-externs.ts';
import { type CoreExport, coreSections, readCoreExport, readCoreImport } from './core-module.ts';
import { findRepeats } from './find-repeats.ts';
import { readTypeImports } from './read-functions.ts';

const maxFileBytes = 64 * 1024 * 1024;
const maxExterns = 1_000;

export type BinaryShape = {
  /** `wit-package`: types only, nothing that could run */
  kind: 'component' | 'module' | 'wit-package';
  /** in file order; of a core module `MODULE.NAME` */
  imports: BinaryItem[];
  exports: BinaryItem[];
  /** top level only; `offset` and `length` are of the contents behind the name, bytes */
  customSections: { name: string; offset: number; length: number }[];
  /** core modules in the file, those of nested components included; 1 for a core module */
  coreModules: number;
  /**
   * Constructs that could instantiate a core module more than once, one sentence each.
   * There, a bound on each memory does not bound their sum.
   */
  repeats: string[];
};

export type BinaryItem = {
  name: string;
  kind: Extern['kind'] | CoreExport['kind'];
  /** of an import of a component: it brings types, and nothing that could be called or held */
  typesOnly?: true;
};

/**
 * The outline of an untrusted WebAssembly file, read without running or compiling any of it. Only
 * what decides about authority is decoded; that the rest is valid is for the compiler to find.
 *
 * @param bytes at most 64 MiB
 * @throws {KernelError} `plugin-fault` for anything that is not a component or core module, with the
 *   offset of the first bad byte; nothing else is ever thrown
 */
export function readBinary(bytes: Uint8Array): BinaryShape {
  if (bytes.length > maxFileBytes) {
    throw fault(`the file has ${bytes.length} bytes, limit ${maxFileBytes}`);
  }
  const layer = readHeader(bytes);
  const reader = new ByteReader(bytes, 8);
  return layer === 'module' ? readModule(reader) : readTopComponent(bytes, reader);
}

/** Eight bytes, or more of them where they are text: a page or a pointer that was saved instead. */
function beginOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 30)).toString('latin1');
  return /^[\n\r\t -~]+$/.test(text) ? JSON.stringify(text) : hexOf(bytes.subarray(0, 8));
}

function readHeader(bytes: Uint8Array): 'module' | 'component' {
  const begin = hexOf(bytes.subarray(0, 8));
  if (bytes.length === 0) throw notWebAssembly('the file is empty');
  const magic = headers.module.slice(0, Math.min(bytes.length, 4) * 3 - 1);
  if (!begin.startsWith(magic)) throw notWebAssembly(`the file begins with ${beginOf(bytes)}`);
  if (bytes.length < 8) throw fault(`truncated at offset ${bytes.length}: the header has 8 bytes`);
  if (begin === headers.module) return 'module';
  if (begin === headers.component) return 'component';
  throw fault(
    `unknown version ${begin.slice(12)} at offset 4: known are ${headers.component.slice(12)} ` +
      `(component) and ${headers.module.slice(12)} (core module)`,
  );
}

function readModule(reader: ByteReader): BinaryShape {
  const shape = emptyShape('module');
  shape.coreModules = 1;
  for (const { id, body } of coreSections(reader, maxSections)) {
    if (id === 0) shape.customSections.push(readCustom(body));
    if (id === 2) {
      readList(body, 'imports', shape.imports, () => {
        const { module, name, kind } = readCoreImport(body, maxNameBytes);
        return { name: `${module}.${name}`, kind };
      });
    }
    if (id === 7) {
      readList(body, 'exports', shape.exports, () => readCoreExport(body, maxNameBytes));
    }
  }
  return shape;
}

function readTopComponent(bytes: Uint8Array, reader: ByteReader): BinaryShape {
  const shape = emptyShape('component');
  const ids = new Set<number>();
  for (const { id, body } of componentSections(reader, { sections: maxSections })) {
    ids.add(id);
    if (id === 0) shape.customSections.push(readCustom(body));
    if (id === 10) readList(body, 'imports', shape.imports, () => readComponentImport(body));
    if (id === 11) readList(body, 'exports', shape.exports, () => readComponentExport(body));
  }
  const types = readTypeImports(bytes);
  shape.imports = shape.imports.map((item) =>
    types.has(item.name) ? { ...item, typesOnly: true as const } : item,
  );
  const outline = findRepeats(new ByteReader(bytes, 8));
  shape.coreModules = outline.coreModules;
  shape.repeats = outline.repeats;
  if (isWitPackage(shape, ids)) shape.kind = 'wit-package';
  return shape;
}

/** A WIT package encoded as a component exports types (older: components) and holds no code. */
function isWitPackage(shape: BinaryShape, ids: ReadonlySet<number>): boolean {
  const runs = [1, 2, 5, 8, 9].some((id) => ids.has(id)) || shape.coreModules > 0;
  if (runs) return false;
  if (shape.exports.some(({ kind }) => kind !== 'type' && kind !== 'component')) return false;
  const named = shape.customSections.some(
    ({ name }) => name === 'package-docs' || /^(component-type|wit-component-encoding)/.test(name),
  );
  return shape.exports.length > 0 || named;
}

function readCustom(body: ByteReader): BinaryShape['customSections'][number] {
  const name = body.name('the name of a custom section', maxNameBytes);
  return { name, offset: body.offset, length: body.remaining };
}

function readList<Item>(body: ByteReader, what: string, into: Item[], read: () => Item): void {
  const at = body.offset;
  const count = body.count(what);
  if (into.length + count > maxExterns) {
    throw fault(`refused at offset ${at}: ${into.length + count} ${what}, limit ${maxExterns}`);
  }
  for (let index = 0; index < count; index += 1) into.push(read());
  body.expectEnd(`the ${what}`);
}

function emptyShape(kind: 'component' | 'module'): BinaryShape {
  return { kind, imports: [], exports: [], customSections: [], coreModules: 0, repeats: [] };
}

function notWebAssembly(why: string): KernelError {
  return new KernelError(
    'plugin-fault',
    `not WebAssembly: ${why}; a cuervo plugin is a WebAssembly component`,
    { hint: 'cuervo plugin build DIR makes one from a folder with plugin.ts' },
  );
}
