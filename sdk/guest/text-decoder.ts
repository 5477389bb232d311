/** Arguments of one call; engines bound their number. */
const maxRun = 4096;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const labels: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'unicode-1-1-utf-8': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  ucs2: 'utf-16le',
  'ucs-2': 'utf-16le',
  ascii: 'windows-1252',
  'us-ascii': 'windows-1252',
  latin1: 'windows-1252',
  l1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
};

/** What 0x80 to 0x9f are in windows-1252. */
const upper =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/** `TextDecoder` for engines without one: UTF-8, UTF-16 and windows-1252. */
export class GuestTextDecoder {
  readonly encoding: Encoding;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** what an earlier part with `stream` left: the start of a character */
  #rest = new Uint8Array(0);
  #isStarted = false;

  constructor(label = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const encoding = labels[String(label).trim().toLowerCase()];
    if (encoding === undefined) throw new RangeError(`the encoding "${label}" is not supported`);
    this.encoding = encoding;
    this.fatal = options.fatal ?? false;
    this.ignoreBOM = options.ignoreBOM ?? false;
  }

  decode(
    input: ArrayBuffer | ArrayBufferView = new Uint8Array(0),
    { stream = false }: { stream?: boolean } = {},
  ): string {
    const bytes = this.#joined(input);
    let text: string;
    let used = bytes.length;
    if (this.encoding === 'windows-1252') text = fromSingleBytes(bytes);
    else if (this.encoding === 'utf-8') {
      if (stream) used -= openUtf8(bytes);
      text = this.#utf8(bytes.subarray(0, used));
    } else {
      if (stream) used -= bytes.length % 2;
      text = this.#utf16(bytes.subarray(0, used));
    }
    if (!this.#isStarted && text !== '') {
      this.#isStarted = true;
      if (text[0] === '\ufeff' && !this.ignoreBOM) text = text.slice(1);
    }
    if (stream) this.#rest = bytes.slice(used);
    else this.#isStarted = false;
    return text;
  }

  #joined(input: ArrayBuffer | ArrayBufferView): Uint8Array {
    const bytes = ArrayBuffer.isView(input)
      ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
      : new Uint8Array(input);
    if (this.#rest.length === 0) return bytes;
    const joined = new Uint8Array(this.#rest.length + bytes.length);
    joined.set(this.#rest);
    joined.set(bytes, this.#rest.length);
    this.#rest = new Uint8Array(0);
    return joined;
  }

  #utf8(bytes: Uint8Array): string {
    let text = '';
    let at = 0;
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
    const need = followers(lead);
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

  #utf16(bytes: Uint8Array): string {
    const low = this.encoding === 'utf-16le' ? 0 : 1;
    let text = '';
    for (let start = 0; start + 1 < bytes.length; start += maxRun * 2) {
      const units: number[] = [];
      const end = Math.min(bytes.length - 1, start + maxRun * 2);
      for (let at = start; at < end; at += 2) {
        units.push((bytes[at + low] as number) | ((bytes[at + 1 - low] as number) << 8));
      }
      text += String.fromCharCode(...units);
    }
    if (bytes.length % 2 === 1) text += String.fromCodePoint(this.#broken(1).point);
    if (text.isWellFormed()) return text;
    if (this.fatal) throw new TypeError(`the bytes are not ${this.encoding}`);
    return text.toWellFormed();
  }

  #broken(length: number): { point: number; length: number } {
    if (this.fatal) throw new TypeError('the bytes are not UTF-8');
    return { point: 0xfffd, length };
  }
}

/** Bytes that follow such a first byte; 0 for what is not a first byte. */
function followers(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 1;
  if (lead >> 4 === 0xe) return 2;
  return lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
}

/** How many bytes at the end are the start of a character that is not whole. */
function openUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return followers(byte) >= back ? back : 0;
  }
  return 0;
}

function fromSingleBytes(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += maxRun) {
    const part = bytes.subarray(start, start + maxRun);
    text += String.fromCharCode(...part);
  }
  return text.replace(/[\x80-\x9f]/g, (letter) => upper[letter.charCodeAt(0) - 0x80] ?? letter);
}
