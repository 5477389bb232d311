import type { Primitive } from '../../../protocol/bindings.ts';
import { type ByteReader, fault } from './byte-reader.ts';
import { maxNameBytes, readExternName, readSort } from './component-externs.ts';

/** Definitions, fields, cases and exports of one file that are decoded at most. */
const maxParts = 100_000;
/** Types of instances in types of instances. */
const maxDepth = 16;

/** A type as the file names it: a primitive, or what one of its definitions says. */
export type TypeRef = Primitive | Definition;

export type FuncType = {
  sort: 'func';
  async: boolean;
  params: { name: string; type: TypeRef }[];
  result?: TypeRef;
};

/** The type at an index of the space of types. */
export type Definition =
  | { sort: 'list'; of: TypeRef; length?: number }
  | { sort: 'map'; key: TypeRef; value: TypeRef }
  | { sort: 'tuple'; of: TypeRef[] }
  | { sort: 'option'; of: TypeRef }
  | { sort: 'stream' | 'future'; of?: TypeRef }
  | { sort: 'result'; ok?: TypeRef; error?: TypeRef }
  | { sort: 'record'; fields: { name: string; type: TypeRef }[] }
  | { sort: 'variant'; cases: { name: string; type?: TypeRef }[] }
  | { sort: 'enum' | 'flags'; names: string[] }
  /** another name of a primitive */
  | { sort: 'alias'; of: Primitive }
  /** what has no value that could be written down */
  | { sort: 'handle'; what: string }
  | FuncType
  | { sort: 'instance'; exports: Exports }
  | { sort: 'component' };

export type Item =
  /** `isNew`: a resource of its own, not another name of a type that is known */
  | { sort: 'type'; type: Definition; isNew?: boolean }
  | { sort: 'func'; type: FuncType }
  | { sort: 'instance'; exports: Exports };

export type Exports = Map<string, Item>;

/** The spaces that indices of one component, or of the type of an instance, count in. */
export type Scope = {
  types: Definition[];
  funcs: FuncType[];
  instances: Exports[];
  components: Exports[];
  parent: Scope | undefined;
};

/** Shared by all of one file, so that nesting multiplies nothing. */
export type Budget = { parts: number; sections: number };

export function newScope(parent?: Scope): Scope {
  return { types: [], funcs: [], instances: [], components: [], parent };
}

export function newBudget(sections: number): Budget {
  return { parts: maxParts, sections };
}

/** @throws {KernelError} `plugin-fault` when the file holds more than is decoded */
export function spend(budget: Budget, body: ByteReader): void {
  budget.parts -= 1;
  if (budget.parts < 0) {
    throw fault(`refused at offset ${body.offset}: more than ${maxParts} parts of types`);
  }
}

/** The value at an index. @throws {KernelError} `plugin-fault` when there is none */
export function at<Value>(space: readonly Value[], index: number, what: string): Value {
  const found = space[index];
  if (found === undefined) {
    throw fault(`malformed: ${what} ${index} is not defined, there are ${space.length} so far`);
  }
  return found;
}

export function readDefinition(
  body: ByteReader,
  scope: Scope,
  budget: Budget,
  depth = 0,
): Definition {
  spend(budget, body);
  if (depth > maxDepth) {
    throw fault(`refused at offset ${body.offset}: types nested deeper than ${maxDepth}`);
  }
  const start = body.offset;
  const tag = body.u8('a type');
  const primitive = primitiveOf(tag);
  if (primitive !== undefined) return { sort: 'alias', of: primitive };
  const ref = (): TypeRef => readTypeRef(body, scope);
  switch (tag) {
    case 0x72:
      return { sort: 'record', fields: readFields(body, scope, budget) };
    case 0x71:
      return { sort: 'variant', cases: readCases(body, scope, budget) };
    case 0x70:
      return { sort: 'list', of: ref() };
    case 0x67:
      return { sort: 'list', of: ref(), length: body.u32('the length of a list') };
    case 0x6f:
      return { sort: 'tuple', of: each(body, 'types of a tuple', budget, ref) };
    case 0x6e:
      return { sort: 'flags', names: readNames(body, budget) };
    case 0x6d:
      return { sort: 'enum', names: readNames(body, budget) };
    case 0x6b:
      return { sort: 'option', of: ref() };
    case 0x6a: {
      const ok = optional(body, ref);
      const error = optional(body, ref);
      return {
        sort: 'result',
        ...(ok === undefined ? {} : { ok }),
        ...(error === undefined ? {} : { error }),
      };
    }
    case 0x69:
    case 0x68:
      body.u32('a type index');
      return { sort: 'handle', what: 'a resource' };
    case 0x66:
    case 0x65: {
      const of = optional(body, ref);
      return { sort: tag === 0x65 ? 'future' : 'stream', ...(of === undefined ? {} : { of }) };
    }
    case 0x64:
      return { sort: 'handle', what: 'an error context' };
    case 0x63:
      return { sort: 'map', key: ref(), value: ref() };
    case 0x40:
    case 0x43:
      return readFuncType(body, scope, budget, tag === 0x43);
    case 0x41:
    case 0x42: {
      const exports = readDeclarations(body, scope, budget, depth + 1);
      return tag === 0x42 ? { sort: 'instance', exports } : { sort: 'component' };
    }
    case 0x3f:
      body.u8('the representation of a resource');
      optional(body, () => body.u32('a destructor'));
      return { sort: 'handle', what: 'a resource' };
    case 0x3e:
      body.u8('the representation of a resource');
      body.u32('a destructor');
      optional(body, () => body.u32('a callback'));
      return { sort: 'handle', what: 'a resource' };
    default:
      throw fault(`refused at offset ${start}: unknown type 0x${tag.toString(16)}`);
  }
}

/** An import, or the type of an export: a thing of the space of its sort. */
export function readExternDefinition(body: ByteReader, scope: Scope): Item | undefined {
  const start = body.offset;
  const tag = body.u8('the type of an import or export');
  switch (tag) {
    case 0x01:
      return { sort: 'func', type: funcAt(scope, body.u32('a type index')) };
    case 0x03:
      return { sort: 'type', ...readTypeBound(body, scope) };
    case 0x05: {
      const type = at(scope.types, body.u32('a type index'), 'type');
      if (type.sort !== 'instance') throw fault(`malformed at offset ${start}: no instance type`);
      return { sort: 'instance', exports: type.exports };
    }
    default:
      // The search for repeats refuses modules and components; values are not in use.
      throw fault(`refused at offset ${start}: a module, component or value as import or export`);
  }
}

/** Adds a thing to the space of its sort, as imports, aliases and exports do. */
export function addItem(scope: Scope, item: Item): void {
  if (item.sort === 'type') scope.types.push(item.type);
  else if (item.sort === 'func') scope.funcs.push(item.type);
  else scope.instances.push(item.exports);
}

/** An alias, added to the space of its sort; spaces of core sorts are only counted. */
export function readAliasInto(body: ByteReader, scope: Scope): void {
  const start = body.offset;
  const sort = readSort(body);
  const target = body.u8('the target of an alias');
  if (target === 2) {
    const up = body.u32('a number of components');
    const index = body.u32('an index');
    if (sort === 'core') return;
    if (sort !== 'type') throw fault(`refused at offset ${start}: an outer alias of a ${sort}`);
    let from: Scope | undefined = scope;
    for (let left = up; left > 0 && from !== undefined; left -= 1) from = from.parent;
    if (from === undefined) throw fault(`malformed at offset ${start}: no component ${up} further`);
    scope.types.push(at(from.types, index, 'type'));
    return;
  }
  const index = body.u32('an instance index');
  if (target === 1) {
    body.skipName('the name of an alias');
    return;
  }
  if (target !== 0) throw fault(`malformed at offset ${start}: unknown target of an alias`);
  const name = body.name('the name of an alias', maxNameBytes);
  if (sort === 'core' || sort === 'module') return;
  const item = at(scope.instances, index, 'instance').get(name);
  if (item?.sort !== sort) {
    throw fault(`malformed at offset ${start}: instance ${index} exports no ${sort} "${name}"`);
  }
  addItem(scope, item);
}

/** @throws {KernelError} `plugin-fault` when the index is not a function type */
export function funcAt(scope: Scope, index: number): FuncType {
  const type = at(scope.types, index, 'type');
  if (type.sort !== 'func') throw fault(`malformed: type ${index} is not a function type`);
  return type;
}

/** The declarations of the type of an instance or component; what it exports. */
function readDeclarations(body: ByteReader, parent: Scope, budget: Budget, depth: number): Exports {
  const scope = newScope(parent);
  const exports: Exports = new Map();
  each(body, 'declarations', budget, () => {
    const start = body.offset;
    const tag = body.u8('a declaration');
    if (tag === 0x01) scope.types.push(readDefinition(body, scope, budget, depth));
    else if (tag === 0x02) readAliasInto(body, scope);
    else if (tag === 0x03 || tag === 0x04) {
      const name = readExternName(body, 'a name');
      const item = readExternDefinition(body, scope);
      if (item === undefined) return;
      addItem(scope, item);
      if (tag === 0x04) exports.set(name, item);
    } else throw fault(`refused at offset ${start}: a core type in the type of an instance`);
  });
  return exports;
}

function readTypeBound(body: ByteReader, scope: Scope): { type: Definition; isNew?: boolean } {
  const start = body.offset;
  const bound = body.u8('the bound of a type');
  if (bound === 0) return { type: at(scope.types, body.u32('a type index'), 'type') };
  if (bound === 1) return { type: { sort: 'handle', what: 'a resource' }, isNew: true };
  throw fault(`malformed at offset ${start}: unknown bound of a type`);
}

function readFuncType(body: ByteReader, scope: Scope, budget: Budget, isAsync: boolean): FuncType {
  const params = readFields(body, scope, budget);
  const start = body.offset;
  const form = body.u8('the result of a function');
  if (form === 0) return { sort: 'func', async: isAsync, params, result: readTypeRef(body, scope) };
  if (form !== 1 || body.u8('the number of results') !== 0) {
    throw fault(`refused at offset ${start}: a function with named results`);
  }
  return { sort: 'func', async: isAsync, params };
}

function readFields(
  body: ByteReader,
  scope: Scope,
  budget: Budget,
): { name: string; type: TypeRef }[] {
  return each(body, 'fields', budget, () => ({
    name: body.name('the name of a field', maxNameBytes),
    type: readTypeRef(body, scope),
  }));
}

function readCases(
  body: ByteReader,
  scope: Scope,
  budget: Budget,
): { name: string; type?: TypeRef }[] {
  return each(body, 'cases', budget, () => {
    const name = body.name('the name of a case', maxNameBytes);
    const type = optional(body, () => readTypeRef(body, scope));
    const start = body.offset;
    if (body.u8('the end of a case') !== 0) {
      throw fault(`malformed at offset ${start}: a case that refines another`);
    }
    return { name, ...(type === undefined ? {} : { type }) };
  });
}

function readNames(body: ByteReader, budget: Budget): string[] {
  return each(body, 'names', budget, () => body.name('a name', maxNameBytes));
}

/** A primitive in one byte, or an index that is written as a signed number. */
export function readTypeRef(body: ByteReader, scope: Scope): TypeRef {
  const start = body.offset;
  const first = body.u8('a type');
  if (first >= 0x40 && first < 0x80) {
    const primitive = primitiveOf(first);
    if (primitive !== undefined) return primitive;
    if (first === 0x64) return { sort: 'handle', what: 'an error context' };
    throw fault(`malformed at offset ${start}: unknown type 0x${first.toString(16)}`);
  }
  let index = first & 0x7f;
  for (let byte = first, shift = 7; byte >= 0x80; shift += 7) {
    byte = body.u8('a type index');
    index += (byte & 0x7f) * 2 ** shift;
    if (shift > 28 || (byte < 0x80 && byte >= 0x40)) {
      throw fault(`malformed at offset ${start}: a type index is not a number of 32 bits`);
    }
  }
  const type = at(scope.types, index, 'type');
  if (type.sort === 'alias') return type.of;
  if (type.sort === 'func' || type.sort === 'instance' || type.sort === 'component') {
    throw fault(`malformed at offset ${start}: type ${index} is the type of no value`);
  }
  return type;
}

function primitiveOf(byte: number): Primitive | undefined {
  return primitiveBytes.get(byte);
}

const primitiveBytes: ReadonlyMap<number, Primitive> = new Map([
  [0x7f, 'bool'],
  [0x7e, 's8'],
  [0x7d, 'u8'],
  [0x7c, 's16'],
  [0x7b, 'u16'],
  [0x7a, 's32'],
  [0x79, 'u32'],
  [0x78, 's64'],
  [0x77, 'u64'],
  [0x76, 'f32'],
  [0x75, 'f64'],
  [0x74, 'char'],
  [0x73, 'string'],
]);

function optional<Value>(body: ByteReader, read: () => Value): Value | undefined {
  const start = body.offset;
  const present = body.u8('the presence of a type');
  if (present > 1) throw fault(`malformed at offset ${start}: ${present} is neither 0 nor 1`);
  return present === 1 ? read() : undefined;
}

function each<Value>(body: ByteReader, what: string, budget: Budget, read: () => Value): Value[] {
  const count = body.count(what);
  const values: Value[] = [];
  for (let index = 0; index < count; index += 1) {
    spend(budget, body);
    values.push(read());
  }
  return values;
}
