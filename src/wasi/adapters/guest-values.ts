import { camelCase } from '../../lib/text/words.ts';
import type { Field, ValueType } from '../../protocol/bindings.ts';

/**
 * Whether glue writes an option of these values as the value or `undefined`. Where the value could
 * be `undefined` itself it has a tag, and an option of that one is plain again.
 *
 * @param of what is optional
 */
function isPlainOption(of: ValueType): boolean {
  return of.kind !== 'option' || !isPlainOption(of.of);
}

/** A value without a payload, and a parameter that was left out. */
type Tagged = { tag: string; val?: unknown };

/**
 * A value that the glue gave, as JSON by the rules of `src/host/install/component/type-schema.ts`: 64-bit
 * integers that a number cannot hold as digits, bytes as base64, what is not a number by name.
 */
export function fromGuest(value: unknown, type: ValueType): unknown {
  switch (type.kind) {
    case 's64':
    case 'u64': {
      const integer = value as bigint;
      const number = Number(integer);
      return Number.isSafeInteger(number) ? number : String(integer);
    }
    case 'f32':
    case 'f64':
      return Number.isFinite(value) ? value : String(value);
    case 'list': {
      const items = value as ArrayLike<unknown>;
      if (type.of.kind === 'u8') {
        return Buffer.from(items as ArrayLike<number>).toString('base64');
      }
      return Array.from(items, (item) => fromGuest(item, type.of));
    }
    case 'stream':
      return fromGuest(value, { kind: 'list', of: type.of });
    case 'future':
      return fromGuest(value, type.of);
    case 'map': {
      const { key: keyType, value: valueType } = type;
      const pairs = [...(value as Map<unknown, unknown>)].map(([key, each]): [string, unknown] => [
        fromGuest(key, keyType) as string,
        fromGuest(each, valueType),
      ]);
      return keyType.kind === 'string' ? Object.fromEntries(pairs) : pairs;
    }
    case 'tuple': {
      const items = value as unknown[];
      return type.of.map((each, index) => fromGuest(items[index], each));
    }
    case 'option': {
      if (isPlainOption(type.of)) {
        if (value === undefined || value === null) return null;
        const inner = fromGuest(value, type.of);
        return type.of.kind === 'option' ? { some: inner } : inner;
      }
      const { tag, val } = value as Tagged;
      return tag === 'none' ? null : { some: fromGuest(val, type.of) };
    }
    case 'result': {
      const { tag, val } = value as Tagged;
      const [name, inner] = tag === 'ok' ? ['ok', type.ok] : ['error', type.error];
      return { [name as string]: inner === undefined ? null : fromGuest(val, inner as ValueType) };
    }
    case 'record': {
      const record = value as Record<string, unknown>;
      return Object.fromEntries(
        type.fields.map((field) => [field.name, fromGuest(given(record, field.name), field.type)]),
      );
    }
    case 'variant': {
      const { tag, val } = value as Tagged;
      const inner = type.cases.find(({ name }) => name === tag)?.type;
      return inner === undefined ? { tag } : { tag, value: fromGuest(val, inner) };
    }
    case 'flags': {
      const set = value as Record<string, unknown>;
      return type.names.filter((name) => given(set, name) === true);
    }
    default:
      return value;
  }
}

/** A glue that names a field in another way must not make a value of nothing. */
function given(record: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = camelCase(name);
  if (Object.hasOwn(record, key)) return record[key];
  throw new TypeError(`the component gave no ${key} for ${name}`);
}

/** The input does not fit the types of the function; the message says where. */
export class InputMismatch extends Error {
  override readonly name = 'InputMismatch';
}

type Range = readonly [bigint, bigint];

const ranges: Readonly<Record<string, Range>> = {
  s8: [-(2n ** 7n), 2n ** 7n - 1n],
  u8: [0n, 2n ** 8n - 1n],
  s16: [-(2n ** 15n), 2n ** 15n - 1n],
  u16: [0n, 2n ** 16n - 1n],
  s32: [-(2n ** 31n), 2n ** 31n - 1n],
  u32: [0n, 2n ** 32n - 1n],
  s64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
};

/** Lists of these are handed over as typed arrays: glue copies them whole. */
const arrays: Readonly<Record<string, { from(values: Iterable<never>): unknown }>> = {
  s8: Int8Array,
  u8: Uint8Array,
  s16: Int16Array,
  u16: Uint16Array,
  s32: Int32Array,
  u32: Uint32Array,
  s64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
};

/**
 * A JSON value as the glue takes it. The rules are those of the schema that describes the tool
 * (`src/host/install/component/type-schema.ts`).
 *
 * @param where path of the value in the input, for messages
 * @throws {InputMismatch}
 */
function toGuest(value: unknown, type: ValueType, where: string): unknown {
  switch (type.kind) {
    case 'bool':
      if (typeof value !== 'boolean') throw wrong(where, value, 'true or false');
      return value;
    case 's64':
    case 'u64':
      return toInteger(value, type.kind, where);
    case 's8':
    case 'u8':
    case 's16':
    case 'u16':
    case 's32':
    case 'u32':
      return Number(toInteger(value, type.kind, where));
    case 'f32':
    case 'f64':
      return toFloat(value, type.kind, where);
    case 'char':
      if (typeof value !== 'string' || [...value].length !== 1 || !value.isWellFormed()) {
        throw wrong(where, value, 'one character');
      }
      return value;
    case 'string':
      if (typeof value !== 'string') throw wrong(where, value, 'a string');
      return value;
    case 'list':
      return toList(value, type, where);
    case 'stream': {
      const items = toList(value, { kind: 'list', of: type.of }, where);
      // Glue takes numbers in one piece, and everything else one by one.
      return ArrayBuffer.isView(items) ? [items] : items;
    }
    case 'future':
      return Promise.resolve(toGuest(value, type.of, where));
    case 'map':
      return toMap(value, type, where);
    case 'tuple': {
      const items = listOf(value, where, type.of.length);
      return type.of.map((each, index) => toGuest(items[index], each, `${where}[${index}]`));
    }
    case 'option':
      return toOption(value, type.of, where);
    case 'result':
      return toResult(value, type, where);
    case 'record':
      return toRecord(value, type.fields, where);
    case 'variant':
      return toVariant(value, type.cases, where);
    case 'enum':
      if (typeof value !== 'string' || !type.names.includes(value)) {
        throw wrong(where, value, `one of ${type.names.join(', ')}`);
      }
      return value;
    case 'flags': {
      const set = listOf(value, where);
      const unknown = set.find((name) => typeof name !== 'string' || !type.names.includes(name));
      if (unknown !== undefined) throw wrong(where, unknown, `some of ${type.names.join(', ')}`);
      return Object.fromEntries(type.names.map((name) => [camelCase(name), set.includes(name)]));
    }
  }
}

/** Values of the fields in order; @throws {InputMismatch} also for a field that is unknown. */
export function toFields(value: unknown, fields: readonly Field[], where: string): unknown[] {
  const given = objectOf(value, where);
  const names = fields.map(({ name }) => name);
  refuseOthers(given, names, where);
  return fields.map(({ name, type }) => {
    const inside = where === 'the input' ? name : `${where}.${name}`;
    const present = Object.hasOwn(given, name);
    if (!present && type.kind !== 'option') throw new InputMismatch(`${inside} is missing`);
    return toGuest(present ? given[name] : null, type, inside);
  });
}

function refuseOthers(given: object, names: readonly string[], where: string): void {
  const unknown = Object.keys(given).find((key) => !names.includes(key));
  if (unknown === undefined) return;
  const known = names.join(', ') || 'nothing';
  throw new InputMismatch(`${where} has "${unknown.slice(0, 100)}", but it takes only ${known}`);
}

function toInteger(value: unknown, kind: string, where: string): bigint {
  const [least, most] = ranges[kind] as Range;
  const wide = kind === 's64' || kind === 'u64';
  let integer: bigint | undefined;
  if (typeof value === 'number' && Number.isInteger(value)) integer = BigInt(value);
  else if (wide && typeof value === 'string' && /^-?\d{1,20}$/.test(value)) integer = BigInt(value);
  if (integer === undefined || integer < least || integer > most) {
    throw wrong(where, value, `a whole number from ${least} to ${most}`);
  }
  return integer;
}

function toFloat(value: unknown, kind: 'f32' | 'f64', where: string): number {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  // Digits that a number could not hold exactly arrive as a string.
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  const finite = typeof number === 'number' && Number.isFinite(number);
  if (!finite || (kind === 'f32' && !Number.isFinite(Math.fround(number)))) {
    throw wrong(where, value, `a number of ${kind}, "NaN", "Infinity" or "-Infinity"`);
  }
  return number;
}

function toList(value: unknown, type: ValueType & { kind: 'list' }, where: string): unknown {
  const { of, length } = type;
  if (of.kind === 'u8' && typeof value === 'string') {
    const bytes = fromBase64(value, where);
    if (length === undefined || bytes.length === length) return bytes;
    throw wrong(where, value, `base64 of ${length} bytes`);
  }
  const items = listOf(value, where, length);
  const values = items.map((item, index) => toGuest(item, of, `${where}[${index}]`));
  const array = length === undefined ? arrays[of.kind] : undefined;
  return array === undefined ? values : array.from(values as never[]);
}

function toMap(value: unknown, type: ValueType & { kind: 'map' }, where: string): unknown {
  const { key, value: of } = type;
  const pairs =
    key.kind === 'string'
      ? Object.entries(objectOf(value, where))
      : listOf(value, where).map((pair, at) => listOf(pair, `${where}[${at}]`, 2));
  const map = new Map<unknown, unknown>();
  for (const [name, each] of pairs) {
    const at = `${where}[${JSON.stringify(name)}]`;
    const made = toGuest(name, key, at);
    if (map.has(made)) throw new InputMismatch(`${at} is there twice`);
    map.set(made, toGuest(each, of, at));
  }
  return map;
}

function fromBase64(text: string, where: string): Uint8Array {
  const shape = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
  if (!shape.test(text)) throw wrong(where, text, 'base64, or a list of numbers');
  // A copy of its own: the buffer behind a small `Buffer` holds other people's bytes.
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

function toOption(value: unknown, of: ValueType, where: string): unknown {
  if (of.kind !== 'option') {
    return value === null || value === undefined ? undefined : toGuest(value, of, where);
  }
  const isPlain = isPlainOption(of);
  if (value === null || value === undefined) return isPlain ? undefined : { tag: 'none' };
  const [inner] = toFields(value, [{ name: 'some', type: of }], where);
  return isPlain ? inner : { tag: 'some', val: inner };
}

function toResult(
  value: unknown,
  { ok, error }: { ok?: ValueType; error?: ValueType },
  where: string,
): unknown {
  const given = objectOf(value, where);
  const [key, ...more] = Object.keys(given);
  if ((key !== 'ok' && key !== 'error') || more.length > 0) {
    throw wrong(where, value, '{"ok": …} or {"error": …}');
  }
  const type = key === 'ok' ? ok : error;
  if (type === undefined && given[key] !== null) throw wrong(`${where}.${key}`, given[key], 'null');
  const val = type === undefined ? undefined : toGuest(given[key], type, `${where}.${key}`);
  return { tag: key === 'ok' ? 'ok' : 'err', val };
}

function toRecord(value: unknown, fields: readonly Field[], where: string): unknown {
  const values = toFields(value, fields, where);
  return Object.fromEntries(fields.map(({ name }, index) => [camelCase(name), values[index]]));
}

function toVariant(
  value: unknown,
  cases: readonly { name: string; type?: ValueType }[],
  where: string,
): unknown {
  const given = objectOf(value, where);
  const { tag, value: inner } = given;
  const found = cases.find(({ name }) => name === tag);
  if (found === undefined) {
    throw wrong(`${where}.tag`, tag, `one of ${cases.map(({ name }) => name).join(', ')}`);
  }
  refuseOthers(given, found.type === undefined ? ['tag'] : ['tag', 'value'], where);
  if (found.type === undefined) return { tag };
  return { tag, val: toGuest(inner, found.type, `${where}.value`) };
}

function objectOf(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(where, value, 'an object');
  }
  return value as Record<string, unknown>;
}

function listOf(value: unknown, where: string, length?: number): unknown[] {
  if (Array.isArray(value) && (length === undefined || value.length === length)) return value;
  throw wrong(where, value, length === undefined ? 'a list' : `a list of ${length}`);
}

function wrong(where: string, value: unknown, expected: string): InputMismatch {
  const shown = JSON.stringify(value) ?? 'nothing';
  const cut = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
  return new InputMismatch(`${where} is ${cut}, not ${expected}`);
}
