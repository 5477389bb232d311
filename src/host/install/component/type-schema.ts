import type { JsonObject } from '../../../contracts/tool.ts';
import type { Field, ValueType } from '../../../protocol/bindings.ts';
import { fault } from './byte-reader.ts';
import type { TypeRef } from './component-types.ts';

/** Parts of one function's written-out types; a longer schema is not readable. */
const maxParts = 1_000;
const maxDepth = 24;
/** Items of a list whose length is part of its type. */
const maxFixedLength = 10_000;

/**
 * Types written out in full, so that they can be told as JSON Schema. A type that is used twice
 * is written twice, which a hostile file can double as often as it has types: hence the bounds.
 *
 * @returns a function that writes out one type; all of its calls share one bound
 * @throws {KernelError} `plugin-fault` with what the type holds that has no JSON
 */
export function createTypeExpander(): (type: TypeRef) => ValueType {
  let parts = 0;

  function expand(type: TypeRef, depth: number, isEdge: boolean): ValueType {
    parts += 1;
    if (parts > maxParts) throw fault(`its types have more than ${maxParts} parts`);
    if (depth > maxDepth) throw fault(`its types are nested deeper than ${maxDepth} levels`);
    if (typeof type === 'string') return { kind: type };
    const inner = (ref: TypeRef): ValueType => expand(ref, depth + 1, false);
    switch (type.sort) {
      case 'alias':
        return { kind: type.of };
      case 'list':
        if (type.length === undefined) return { kind: 'list', of: inner(type.of) };
        if (type.length > maxFixedLength) {
          throw fault(`it has a list of ${type.length} items, limit ${maxFixedLength}`);
        }
        return { kind: 'list', of: inner(type.of), length: type.length };
      case 'map':
        return { kind: 'map', key: inner(type.key), value: inner(type.value) };
      case 'tuple':
        return { kind: 'tuple', of: type.of.map(inner) };
      case 'option':
        return { kind: 'option', of: inner(type.of) };
      case 'result':
        return {
          kind: 'result',
          ...(type.ok === undefined ? {} : { ok: expand(type.ok, depth + 1, isEdge) }),
          ...(type.error === undefined ? {} : { error: inner(type.error) }),
        };
      case 'record':
        return {
          kind: 'record',
          fields: type.fields.map((field) => ({ name: field.name, type: inner(field.type) })),
        };
      case 'variant':
        return {
          kind: 'variant',
          cases: type.cases.map((each) => ({
            name: each.name,
            ...(each.type === undefined ? {} : { type: inner(each.type) }),
          })),
        };
      case 'enum':
      case 'flags':
        parts += type.names.length;
        return { kind: type.sort, names: type.names };
      case 'stream':
      case 'future':
        if (type.of === undefined) throw fault(`it takes or gives a ${type.sort} of nothing`);
        if (!isEdge) throw fault(`it takes or gives a ${type.sort} inside of another value`);
        return { kind: type.sort, of: inner(type.of) };
      case 'handle':
        throw fault(`it takes or gives ${type.what}`);
      default:
        throw fault(`it takes or gives a ${type.sort}`);
    }
  }

  return (type) => expand(type, 0, true);
}

/** A description is read by people and models: behind this many characters stands a dot of three. */
const maxTextLength = 1_000;

/** `add: func(a: s64, b: s64) -> s64`, with every type written out, as in WIT. */
export function functionText(
  name: string,
  params: readonly Field[],
  result: ValueType | undefined,
  isAsync = false,
): string {
  const returns = result === undefined ? '' : ` -> ${typeText(result)}`;
  const text = `${name}: ${isAsync ? 'async ' : ''}func(${fieldsText(params)})${returns}`;
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function typeText(type: ValueType): string {
  switch (type.kind) {
    case 'list':
      return `list<${typeText(type.of)}${type.length === undefined ? '' : `, ${type.length}`}>`;
    case 'stream':
    case 'future':
      return `${type.kind}<${typeText(type.of)}>`;
    case 'map':
      return `map<${typeText(type.key)}, ${typeText(type.value)}>`;
    case 'tuple':
      return `tuple<${type.of.map(typeText).join(', ')}>`;
    case 'option':
      return `option<${typeText(type.of)}>`;
    case 'result': {
      const ok = type.ok === undefined ? '_' : typeText(type.ok);
      if (type.error !== undefined) return `result<${ok}, ${typeText(type.error)}>`;
      return type.ok === undefined ? 'result' : `result<${ok}>`;
    }
    case 'record':
      return `record { ${fieldsText(type.fields)} }`;
    case 'variant':
      return `variant { ${type.cases.map(caseText).join(', ')} }`;
    case 'enum':
    case 'flags':
      return `${type.kind} { ${type.names.join(', ')} }`;
    default:
      return type.kind;
  }
}

function fieldsText(fields: readonly Field[]): string {
  return fields.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
}

function caseText({ name, type }: { name: string; type?: ValueType }): string {
  return type === undefined ? name : `${name}(${typeText(type)})`;
}

const ranges = {
  s8: [-128, 127],
  u8: [0, 255],
  s16: [-32_768, 32_767],
  u16: [0, 65_535],
  s32: [-2_147_483_648, 2_147_483_647],
  u32: [0, 4_294_967_295],
} as const;

/** An object with the fields as properties; options may be left out. */
export function objectSchema(fields: readonly Field[]): JsonObject {
  const required = fields.filter(({ type }) => type.kind !== 'option').map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, type }) => [name, typeSchema(type)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/**
 * JSON Schema 2020-12 of the values of a type, as inputs and outputs of tools write them. The
 * adapter in the plugin process converts by the same rules (`src/wasi/adapters`).
 */
export function typeSchema(type: ValueType): JsonObject {
  switch (type.kind) {
    case 'bool':
      return { type: 'boolean' };
    case 's8':
    case 'u8':
    case 's16':
    case 'u16':
    case 's32':
    case 'u32': {
      const [minimum, maximum] = ranges[type.kind];
      return { type: 'integer', minimum, maximum };
    }
    case 's64':
    case 'u64':
      return {
        description: `${type.kind}; above 2^53 as a string of digits`,
        anyOf: [
          { type: 'integer', ...(type.kind === 'u64' ? { minimum: 0 } : {}) },
          { type: 'string', pattern: type.kind === 'u64' ? '^[0-9]{1,20}$' : '^-?[0-9]{1,19}$' },
        ],
      };
    case 'f32':
    case 'f64':
      return { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }] };
    case 'char':
      return { type: 'string', minLength: 1, maxLength: 1 };
    case 'string':
      return { type: 'string' };
    case 'list':
      return listSchema(type);
    case 'future':
      return typeSchema(type.of);
    case 'stream':
      return listSchema({ kind: 'list', of: type.of });
    case 'map':
      return mapSchema(type);
    case 'tuple':
      return {
        type: 'array',
        prefixItems: type.of.map(typeSchema),
        items: false,
        minItems: type.of.length,
      };
    case 'option':
      return {
        anyOf: [
          type.of.kind === 'option' ? wrapped('some', type.of) : typeSchema(type.of),
          nothing,
        ],
      };
    case 'result':
      return { anyOf: [wrapped('ok', type.ok), wrapped('error', type.error)] };
    case 'record':
      return objectSchema(type.fields);
    case 'variant':
      return { anyOf: type.cases.map(caseSchema) };
    case 'enum':
      return { enum: [...type.names] };
    case 'flags':
      return { type: 'array', items: { enum: [...type.names] }, uniqueItems: true };
  }
}

const nothing: JsonObject = { type: 'null' };

function listSchema({ of, length }: ValueType & { kind: 'list' }): JsonObject {
  const size = length === undefined ? {} : { minItems: length, maxItems: length };
  const items: JsonObject = { type: 'array', items: typeSchema(of), ...size };
  if (of.kind !== 'u8') return items;
  return {
    description: 'bytes: base64, or a list of numbers; given back as base64',
    anyOf: [{ type: 'string', contentEncoding: 'base64', ...textLength(length) }, items],
  };
}

/** Characters of the base64 of so many bytes; what pads the end may be left out. */
function textLength(bytes: number | undefined): JsonObject {
  if (bytes === undefined) return {};
  return { minLength: Math.ceil((bytes * 4) / 3), maxLength: Math.ceil(bytes / 3) * 4 };
}

/** Other keys than texts are no names of fields. */
function mapSchema({ key, value }: ValueType & { kind: 'map' }): JsonObject {
  if (key.kind === 'string') return { type: 'object', additionalProperties: typeSchema(value) };
  return {
    description: 'pairs of key and value',
    type: 'array',
    items: typeSchema({ kind: 'tuple', of: [key, value] }),
    uniqueItems: true,
  };
}

function wrapped(name: string, type: ValueType | undefined): JsonObject {
  return {
    type: 'object',
    properties: { [name]: type === undefined ? nothing : typeSchema(type) },
    required: [name],
    additionalProperties: false,
  };
}

function caseSchema({ name, type }: { name: string; type?: ValueType }): JsonObject {
  return {
    type: 'object',
    properties: {
      tag: { const: name },
      ...(type === undefined ? {} : { value: typeSchema(type) }),
    },
    required: type === undefined || type.kind === 'option' ? ['tag'] : ['tag', 'value'],
    additionalProperties: false,
  };
}
