import { readSync } from 'node:fs';

const windowBytes = 1024 * 1024;
/** Lengths and counts that are read; everything else waits meanwhile. Models of 260,000 tokens have under a million. */
const maxNumbers = 2_000_000;

/** Little-endian values of a file, from its start on. Reading past its end is a `RangeError`. */
export type ByteReader = {
  readonly size: number;
  readonly position: number;
  u32(): number;
  /** exact up to 2^53; larger values only ever serve to be refused */
  u64(): number;
  ascii(bytes: number): string;
  /** a length in 8 bytes, then UTF-8 */
  text(maxBytes: number): string;
  skip(bytes: number): void;
};

/**
 * @param fd open for reading; stays the caller's
 * @param maxPosition beyond it nothing is read, and a `RangeError` says so: a sparse file of any
 *   size costs its author nothing
 */
export function createByteReader(fd: number, size: number, maxPosition: number): ByteReader {
  let window = Buffer.alloc(0);
  let windowStart = 0;
  let position = 0;

  function checkEnd(end: number): void {
    if (end > size) throw new RangeError(`byte ${end} is needed, it has ${size}`);
    if (end > maxPosition) throw new RangeError(`its header goes beyond byte ${maxPosition}`);
  }

  function take(bytes: number): Buffer {
    checkEnd(position + bytes);
    if (position < windowStart || position + bytes > windowStart + window.length) {
      const next = Buffer.allocUnsafe(Math.min(Math.max(windowBytes, bytes), size - position));
      let filled = 0;
      while (filled < bytes) {
        const read = readSync(fd, next, filled, next.length - filled, position + filled);
        if (read === 0) throw new RangeError(`it became shorter than ${size} bytes while read`);
        filled += read;
      }
      window = next.subarray(0, filled);
      windowStart = position;
    }
    const at = position - windowStart;
    position += bytes;
    return window.subarray(at, at + bytes);
  }

  let numbers = 0;
  const u64 = (): number => {
    numbers += 1;
    if (numbers > maxNumbers)
      throw new RangeError(`its header lists more than ${maxNumbers} parts`);
    const bytes = take(8);
    return bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE();
  };
  return {
    size,
    get position() {
      return position;
    },
    u32: () => take(4).readUInt32LE(),
    u64,
    ascii: (bytes) => take(bytes).toString('latin1'),
    text(maxBytes) {
      const bytes = u64();
      if (bytes > maxBytes) throw new RangeError(`a name has ${bytes} bytes, limit ${maxBytes}`);
      return take(bytes).toString('utf8');
    },
    skip(bytes) {
      checkEnd(position + bytes);
      position += bytes;
    },
  };
}
