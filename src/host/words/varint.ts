/** Numbers from 0 to 2³² − 1 in one to five bytes, seven bits each, the lowest first. */
export type ByteWriter = {
  /** bytes written */
  readonly length: number;
  number(value: number): void;
  bytes(source: Uint8Array, start: number, end: number): void;
  /** A view of what was written; good until more is. */
  view(): Buffer;
};

export function createByteWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafeSlow(64 * 1024);
  let length = 0;
  const reserve = (count: number): void => {
    if (length + count <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, length + count));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    get length() {
      return length;
    },
    number: (value) => {
      if (length + 5 > buffer.length) reserve(5);
      let rest = value;
      while (rest > 127) {
        buffer[length] = (rest & 127) | 128;
        length += 1;
        rest >>>= 7;
      }
      buffer[length] = rest;
      length += 1;
    },
    bytes: (source, start, end) => {
      reserve(end - start);
      for (let at = start; at < end; at += 1) buffer[length + at - start] = source[at]!;
      length += end - start;
    },
    view: () => buffer.subarray(0, length),
  };
}

/** Reads such numbers one after the other; beyond the end there are zeros. */
export type NumberReader = { at: number; next(): number };

export function createNumberReader(bytes: Uint8Array): NumberReader {
  const reader: NumberReader = {
    at: 0,
    next: () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[reader.at] ?? 0;
        reader.at += 1;
        value |= (byte & 127) << shift;
        if (byte < 128 || shift > 27) return value >>> 0;
      }
    },
  };
  return reader;
}
