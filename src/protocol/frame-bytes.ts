/** UTF-8 takes at most three bytes for a unit of a string. */
export const maxBytesOfUnit = 3;

/**
 * How many bytes two texts take together as UTF-8; undefined where that is at most `limit`, which
 * for short ones is seen without counting.
 */
export function bytesAbove(limit: number, one: string, other: string): number | undefined {
  if ((one.length + other.length) * maxBytesOfUnit <= limit) return undefined;
  const bytes = Buffer.byteLength(one) + Buffer.byteLength(other);
  return bytes > limit ? bytes : undefined;
}

/** Bytes inside JSON frames: an object with this one key, and base64 in it. */
const bytesKey = '$bytes';

/** The same value with every `Uint8Array` in a form that JSON keeps. */
export function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [bytesKey]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(encodeBytes);
  if (typeof value !== 'object' || value === null) return value;
  // Numbers that the host counts in come as such an array, and a guest takes any list of them.
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<number>);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encodeBytes(item)]));
}

/** The input of `encodeBytes`. */
export function decodeBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === bytesKey && typeof first[1] === 'string') {
    return new Uint8Array(Buffer.from(first[1], 'base64'));
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, decodeBytes(item)]));
}

/**
 * Numbers and texts in the bytes of a frame. `Buffer` has methods for them whose arguments are
 * checked by half a dozen functions each: nothing where they are repeated, and several percent of a
 * call whose code has gone cold.
 */
type Decoder = (this: Uint8Array, start: number, end: number) => string;
type Encoder = (this: Uint8Array, text: string, start: number) => number;
const { utf8Slice, utf8Write } = Buffer.prototype as unknown as {
  utf8Slice: Decoder;
  utf8Write: Encoder;
};

/** @param at of four bytes that are there, little-endian; from 0 to 2³² - 1 */
export function readNumber(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  const high = (bytes[at + 2] as number) | ((bytes[at + 3] as number) << 8);
  return (low | (high << 16)) >>> 0;
}

export function writeNumber(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** UTF-8; other bytes become U+FFFD. @throws {RangeError} when the bytes are not there */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  return utf8Slice.call(bytes, start, end);
}

/** As UTF-8. @returns bytes that were written; there must be room for all of them */
export function writeText(bytes: Uint8Array, start: number, text: string): number {
  return utf8Write.call(bytes, text, start);
}
