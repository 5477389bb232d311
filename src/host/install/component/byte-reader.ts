import { KernelError } from '../../../contracts/error.ts';
import { firstUnprintable } from '../../../lib/text/printable.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A refusal of untrusted bytes; the sentence says what is wrong and where. */
export function fault(message: string): KernelError {
  return new KernelError('plugin-fault', message);
}

/**
 * Reads WebAssembly's primitive encodings from a range of untrusted bytes. It never reads past
 * its range and allocates nothing but the strings it returns, which are bounded by the caller.
 * Every method throws `plugin-fault` with the offset in the file.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** position in the whole file, bytes */
  get offset(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.#end - this.#at;
  }

  u8(what: string): number {
    const value = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
    if (value === undefined) throw this.#truncated(what);
    this.#at += 1;
    return value;
  }

  /** LEB128, at most five bytes, at most 2^32 − 1 */
  u32(what: string): number {
    const start = this.#at;
    let value = 0;
    for (let index = 0; index < 5; index += 1) {
      const byte = this.u8(what);
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw fault(`malformed at offset ${start}: ${what} is not a 32-bit number`);
  }

  /** Passes over a LEB128 number of at most `maxBytes` bytes. */
  skipNumber(what: string, maxBytes: number): void {
    const start = this.#at;
    for (let index = 0; index < maxBytes; index += 1) {
      if (this.u8(what) < 0x80) return;
    }
    throw fault(`malformed at offset ${start}: ${what} has more than ${maxBytes} bytes`);
  }

  /** The length of a list. Each item takes a byte at least, so a longer list is a lie. */
  count(what: string): number {
    const start = this.#at;
    const value = this.u32(`the number of ${what}`);
    if (value > this.remaining) {
      throw fault(
        `malformed at offset ${start}: ${value} ${what} announced, ${this.remaining} bytes left`,
      );
    }
    return value;
  }

  /** A name that may be shown: UTF-8, at most `maxBytes`, nothing unprintable in it. */
  name(what: string, maxBytes: number): string {
    const start = this.#at;
    const length = this.u32(`the length of ${what}`);
    if (length > maxBytes) {
      throw fault(
        `refused at offset ${start}: ${what} has ${length} bytes, limit ${maxBytes} for a name`,
      );
    }
    const bytes = this.take(length, what);
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      throw fault(`malformed at offset ${start}: ${what} is not UTF-8`);
    }
    const bad = firstUnprintable(text);
    if (bad !== undefined) {
      throw fault(`refused at offset ${start}: ${what} holds the unprintable character ${bad}`);
    }
    return text;
  }

  /** Passes over a name that is neither shown nor compared. */
  skipName(what: string): void {
    this.take(this.u32(`the length of ${what}`), what);
  }

  /** A view, not a copy. */
  take(length: number, what: string): Uint8Array {
    if (length > this.remaining) throw this.#truncated(what);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A reader of the next `length` bytes; this one continues behind them. */
  range(length: number, what: string): ByteReader {
    const start = this.#at;
    this.take(length, what);
    return new ByteReader(this.#bytes, start, start + length);
  }

  expectEnd(what: string): void {
    if (this.remaining > 0) {
      throw fault(
        `malformed at offset ${this.#at}: ${this.remaining} bytes left over at the end of ${what}`,
      );
    }
  }

  #truncated(what: string): KernelError {
    return fault(`truncated at offset ${this.#end}: ${what} is not complete`);
  }
}
