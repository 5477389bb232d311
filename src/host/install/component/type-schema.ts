import type { JsonObject } from '../../../contracts/tool.ts';
import type { Field, ValueType } from '../../../protocol/value-type.ts';

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
