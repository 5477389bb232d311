import { GuestTextDecoder } from './text-decoder.ts';
import { GuestTextEncoder } from './text-encoder.ts';

type Options = { type?: string };

/** `Blob` over bytes in memory; it has no streams. */
export class GuestBlob {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;

  constructor(parts: Iterable<unknown> = [], { type = '' }: Options = {}) {
    const all = [...parts].map(bytesOf);
    this.#bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of all) {
      this.#bytes.set(part, at);
      at += part.length;
    }
    this.type = String(type).toLowerCase();
  }

  static bytesOf(blob: GuestBlob): Uint8Array {
    return blob.#bytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  slice(start?: number, end?: number, type = ''): GuestBlob {
    return new GuestBlob([this.#bytes.slice(start, end)], { type });
  }

  async bytes(): Promise<Uint8Array> {
    return this.#bytes.slice();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }

  async text(): Promise<string> {
    return new GuestTextDecoder().decode(this.#bytes);
  }

  stream(): never {
    throw new TypeError('a Blob has no stream in a plugin: use arrayBuffer() or text()');
  }

  get [Symbol.toStringTag](): string {
    return 'Blob';
  }
}

export class GuestFile extends GuestBlob {
  readonly name: string;
  readonly lastModified: number;

  constructor(
    parts: Iterable<unknown>,
    name: string,
    { lastModified = 0, ...options }: Options & { lastModified?: number } = {},
  ) {
    super(parts, options);
    this.name = String(name);
    this.lastModified = lastModified;
  }

  override get [Symbol.toStringTag](): string {
    return 'File';
  }
}

function bytesOf(part: unknown): Uint8Array {
  if (part instanceof GuestBlob) return GuestBlob.bytesOf(part);
  if (part instanceof ArrayBuffer) return new Uint8Array(part);
  if (ArrayBuffer.isView(part)) {
    return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  }
  return new GuestTextEncoder().encode(String(part));
}
