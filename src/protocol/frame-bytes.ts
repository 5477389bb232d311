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
