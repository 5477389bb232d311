/** `TextEncoder` and `TextDecoder` for engines without them: UTF-8 only. */
export class Utf8Encoder {
  readonly encoding = 'utf-8';

  encode(text = ''): Uint8Array {
    const bytes: number[] = [];
    for (const character of String(text)) {
      const code = character.codePointAt(0) as number;
      // A lone surrogate has no UTF-8 form; the standard writes U+FFFD for it.
      const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
      if (point < 0x80) bytes.push(point);
      else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
      else if (point < 0x10000) {
        bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
      } else {
        bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63));
        bytes.push(0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
      }
    }
    return new Uint8Array(bytes);
  }
}

/** Arguments of one call; engines bound their number. */
const maxRun = 4096;

export class Utf8Decoder {
  readonly encoding = 'utf-8';
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;

  constructor(label = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!/^utf-?8$/i.test(label)) throw new RangeError(`the encoding "${label}" is not supported`);
    this.fatal = options.fatal ?? false;
    this.ignoreBOM = options.ignoreBOM ?? false;
  }

  decode(input: ArrayBuffer | ArrayBufferView = new Uint8Array(0)): string {
    const bytes = ArrayBuffer.isView(input)
      ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
      : new Uint8Array(input);
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    let at = hasMark && !this.ignoreBOM ? 3 : 0;
    let text = '';
    while (at < bytes.length) {
      // Most texts are ASCII for long stretches; one call for each of these.
      let end = at;
      const most = Math.min(bytes.length, at + maxRun);
      while (end < most && (bytes[end] as number) < 0x80) end += 1;
      if (end > at) {
        text += String.fromCharCode.apply(null, bytes.subarray(at, end) as unknown as number[]);
        at = end;
        continue;
      }
      const { point, length } = this.#next(bytes, at);
      text += String.fromCodePoint(point);
      at += length;
    }
    return text;
  }

  /** The code point at `at`; what is not UTF-8 is U+FFFD for each maximal broken part. */
  #next(bytes: Uint8Array, at: number): { point: number; length: number } {
    const lead = bytes[at] as number;
    if (lead < 0x80) return { point: lead, length: 1 };
    const need =
      lead >= 0xc2 && lead <= 0xdf
        ? 1
        : lead >> 4 === 0xe
          ? 2
          : lead >= 0xf0 && lead <= 0xf4
            ? 3
            : 0;
    let point = need === 1 ? lead & 0x1f : need === 2 ? lead & 0x0f : lead & 0x07;
    // The second byte's range rules out overlong forms, surrogates and points above U+10FFFF.
    let low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    let high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    let length = 1;
    for (let index = 0; index < need; index += 1) {
      const byte = bytes[at + length] ?? 0;
      if (byte < low || byte > high) return this.#broken(length);
      point = (point << 6) | (byte & 0x3f);
      length += 1;
      low = 0x80;
      high = 0xbf;
    }
    return need === 0 ? this.#broken(1) : { point, length };
  }

  #broken(length: number): { point: number; length: number } {
    if (this.fatal) throw new TypeError('the bytes are not UTF-8');
    return { point: 0xfffd, length };
  }
}
