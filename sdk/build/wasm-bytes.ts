const utf8 = new TextDecoder();

/** Unsigned LEB128. */
export function leb128(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** A name with its length before it. */
export function nameBytes(name: string): Uint8Array {
  const text = new TextEncoder().encode(name);
  return Buffer.concat([Uint8Array.from(leb128(text.byteLength)), text]);
}

/** A section of a module or a component. */
export function sectionBytes(id: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(content);
  return Buffer.concat([Uint8Array.from([id, ...leb128(body.byteLength)]), body]);
}

/** A list: how many there are, then one behind the other. */
export function listBytes(items: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([Uint8Array.from(leb128(items.length)), ...items]);
}

/**
 * Reads what the engine of this version wrote; a host that takes files of strangers has a
 * reader of its own, which trusts nothing.
 */
export class WasmReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.byteLength;
  }

  u8(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw new RangeError(`a binary ends at byte ${this.at}`);
    this.at += 1;
    return value;
  }

  u32(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.u8();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  name(): string {
    const length = this.u32();
    return utf8.decode(this.take(length));
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.at, this.at + length);
    if (taken.byteLength < length) throw new RangeError(`a binary ends before byte ${this.at}`);
    this.at += length;
    return taken;
  }

  /** As many as it says there are. */
  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.u32() }, read);
  }
}

/** A section with its content; `id` as in the specification. */
export type Section = { id: number; content: Uint8Array };

/** Bytes before the first section of a module or a component. */
export const preambleBytes = 8;

export function readSections(binary: Uint8Array): Section[] {
  const reader = new WasmReader(binary, preambleBytes);
  const sections: Section[] = [];
  while (!reader.isAtEnd) {
    const id = reader.u8();
    sections.push({ id, content: reader.take(reader.u32()) });
  }
  return sections;
}
