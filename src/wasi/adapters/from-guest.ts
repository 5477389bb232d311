import { camelCase } from '../../lib/text/camel-case.ts';
import type { ValueType } from '../../protocol/value-type.ts';
import { isPlainOption } from './is-plain-option.ts';

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
