import { isObject, type JsonObject } from '../contracts/tool.ts';

/** Bytes that are not CBOR, or a value that has no form in the other language. */
export class CborFault extends Error {
  override readonly name = 'CborFault';
}

const maxDepth = 64;
/** Ends what has no length of its own. */
const stop = 0xff;

/**
 * A value of CBOR (RFC 8949) as JSON, whose whole numbers keep all of their digits. Bytes are
 * `{"$bytes": BASE64}`; a key that begins with `$` has one more. Tags are dropped.
 *
 * @throws {CborFault} also for what JSON does not have: other keys than texts, NaN, `undefined`
 */
export function cborToJson(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  function take(length: number): number {
    if (length > bytes.length - at) throw new CborFault('it ends in the middle of a value');
    at += length;
    return at - length;
  }

  /** @returns undefined for what lasts until a stop */
  function lengthOf(info: number): bigint | undefined {
    if (info < 24) return BigInt(info);
    if (info === 24) return BigInt(view.getUint8(take(1)));
    if (info === 25) return BigInt(view.getUint16(take(2)));
    if (info === 26) return BigInt(view.getUint32(take(4)));
    if (info === 27) return view.getBigUint64(take(8));
    if (info === 31) return undefined;
    throw new CborFault(`unknown length ${info}`);
  }

  function* items(count: bigint | undefined): Generator<undefined> {
    for (let index = 0n; count === undefined || index < count; index += 1n) {
      if (count === undefined && bytes[at] === stop) {
        at += 1;
        return;
      }
      yield undefined;
    }
  }

  function chunk(major: number, count: bigint | undefined): Uint8Array {
    if (count !== undefined) {
      const start = take(Number(count));
      return bytes.subarray(start, at);
    }
    const chunks: Uint8Array[] = [];
    for (const _ of items(undefined)) {
      const head = view.getUint8(take(1));
      const length = head >> 5 === major ? lengthOf(head & 31) : undefined;
      if (length === undefined)
        throw new CborFault('a piece of a text or of bytes is something else');
      chunks.push(chunk(major, length));
    }
    return Buffer.concat(chunks);
  }

  function text(count: bigint | undefined): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(chunk(3, count));
    } catch (thrown) {
      throw thrown instanceof CborFault ? thrown : new CborFault('a text is not UTF-8');
    }
  }

  function simple(info: number): string {
    if (info === 20 || info === 21) return String(info === 21);
    if (info === 22) return 'null';
    let float = Number.NaN;
    if (info === 25) float = view.getFloat16(take(2));
    else if (info === 26) float = view.getFloat32(take(4));
    else if (info === 27) float = view.getFloat64(take(8));
    if (!Number.isFinite(float)) throw new CborFault('a value that JSON does not have');
    return JSON.stringify(float);
  }

  function value(depth: number): string {
    if (depth > maxDepth) throw new CborFault(`nested deeper than ${maxDepth}`);
    const head = view.getUint8(take(1));
    const major = head >> 5;
    const info = head & 31;
    if (major === 7) return simple(info);
    const count = lengthOf(info);
    if (major === 2)
      return JSON.stringify({ $bytes: Buffer.from(chunk(2, count)).toString('base64') });
    if (major === 3) return JSON.stringify(text(count));
    if (major === 4) return `[${Array.from(items(count), () => value(depth + 1)).join()}]`;
    if (major === 5) return `{${Array.from(items(count), () => entry(depth)).join()}}`;
    if (count === undefined) throw new CborFault('a number without a length');
    if (major === 6) return value(depth + 1);
    return String(major === 0 ? count : -1n - count);
  }

  function entry(depth: number): string {
    const head = view.getUint8(take(1));
    if (head >> 5 !== 3) throw new CborFault('a key that is not a text');
    const key = text(lengthOf(head & 31));
    return `${JSON.stringify(key.startsWith('$') ? `$${key}` : key)}:${value(depth + 1)}`;
  }

  const json = value(0);
  if (at < bytes.length) throw new CborFault(`${bytes.length - at} bytes behind the value`);
  return json;
}

/**
 * A JSON value as CBOR in its deterministic form (RFC 8949, 4.2), the opposite of `cborToJson`.
 *
 * @param schema of the value: JSON does not tell 1 from 1.0, and CBOR does
 * @throws {CborFault} for `$bytes` that are not base64
 */
export function jsonToCbor(value: unknown, schema: JsonObject = {}): Uint8Array {
  const write = (value: unknown, schemas: readonly JsonObject[]): Uint8Array => {
    const is = (type: string) => schemas.some((each) => [each.type].flat().includes(type));
    if (typeof value === 'number') {
      const isInteger = Number.isSafeInteger(value) && (is('integer') || !is('number'));
      return isInteger ? integer(BigInt(value)) : float(value);
    }
    if (typeof value === 'string') {
      // Digits that a number could not hold exactly arrive as a string.
      if (is('integer') && !is('string') && /^-?\d{1,19}$/.test(value))
        return integer(BigInt(value));
      return sized(3, Buffer.from(value));
    }
    if (typeof value === 'boolean') return Uint8Array.of(value ? 0xf5 : 0xf4);
    if (Array.isArray(value)) {
      const items = value.map((item) => write(item, inside(schemas, 'items')));
      return Buffer.concat([head(4, BigInt(items.length)), ...items]);
    }
    if (!isObject(value)) return Uint8Array.of(0xf6);
    const keys = Object.keys(value);
    if (keys.length === 1 && keys[0] === '$bytes') return sized(2, fromBase64(value.$bytes));
    const entries = keys.map((key) => {
      const name = key.startsWith('$$') ? key.slice(1) : key;
      const within = inside(schemas, 'properties', name);
      return [sized(3, Buffer.from(name)), write(value[key], within)] as const;
    });
    const sorted = entries.toSorted(([one], [other]) => Buffer.compare(one, other));
    return Buffer.concat([head(5, BigInt(entries.length)), ...sorted.flat()]);
  };
  const inside = (schemas: readonly JsonObject[], ...path: string[]): JsonObject[] =>
    schemas.flatMap((each) => {
      const found = path.reduce<unknown>(at, each);
      return isObject(found) ? branches(found, schema) : [];
    });
  return write(value, branches(schema, schema));
}

/** Schemas that one stands for, itself among them. */
const maxBranches = 64;

/** A schema with those that it names or takes together, as far as they lie in `root`. */
function branches(schema: JsonObject, root: JsonObject): JsonObject[] {
  const found = new Set([schema]);
  for (const each of found) {
    if (found.size > maxBranches) break;
    const { $ref, anyOf, oneOf, allOf } = each;
    const path = typeof $ref === 'string' && $ref.startsWith('#/') ? $ref.slice(2).split('/') : [];
    const named = path.length === 0 ? [] : [path.reduce<unknown>(at, root)];
    for (const other of [named, anyOf, oneOf, allOf].flat()) if (isObject(other)) found.add(other);
  }
  return [...found];
}

function at(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function fromBase64(text: unknown): Uint8Array {
  const isBase64 =
    typeof text === 'string' &&
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  if (!isBase64) throw new CborFault('$bytes is not base64');
  return Buffer.from(text, 'base64');
}

function sized(major: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([head(major, BigInt(bytes.length)), bytes]);
}

function integer(value: bigint): Uint8Array {
  return value < 0n ? head(1, -1n - value) : head(0, value);
}

function head(major: number, count: bigint): Uint8Array {
  const first = major << 5;
  if (count < 24n) return Uint8Array.of(first | Number(count));
  if (count < 0x100n) return Uint8Array.of(first | 24, Number(count));
  const view = new DataView(new ArrayBuffer(9));
  view.setBigUint64(1, count);
  const size = count < 0x1_0000n ? 2 : count < 0x1_0000_0000n ? 4 : 8;
  const bytes = new Uint8Array(view.buffer, 8 - size);
  bytes[0] = first | (size === 2 ? 25 : size === 4 ? 26 : 27);
  return bytes;
}

/** In the fewest bytes that hold it. */
function float(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(9));
  const size = Math.f16round(value) === value ? 2 : Math.fround(value) === value ? 4 : 8;
  if (size === 2) view.setFloat16(1, value);
  else if (size === 4) view.setFloat32(1, value);
  else view.setFloat64(1, value);
  view.setUint8(0, size === 2 ? 0xf9 : size === 4 ? 0xfa : 0xfb);
  return new Uint8Array(view.buffer, 0, 1 + size);
}
