/** A text read in another way, with the place in the original of each of its characters. */
export type MappedText = { text: string; start: ArrayLike<number>; end: ArrayLike<number> };

/** Layers of one encoding within another that are taken off. */
const maxLayers = 3;

/** Escapes of addresses, programs, shells and HTML: a number of a character, in hex, decimal or octal. */
const escaped =
  /(?:%(?:u00)?|\\x\{?|\\u\{?|\\N\{U\+|\bU\+|&#x)0{0,8}(?<hex>[0-9a-f]{2})[;}]?|&#0{0,8}(?<decimal>\d{2,3});?|\\(?:o\{)?0?(?<octal>1[0-7]{2}|[4-7][0-7])\}?|&(?<named>amp|lt|gt|quot|apos);/gi;
/** Escapes of mail. */
const quoted = /=(?<hex>[0-9a-f]{2})/gi;
/** Escapes of style sheets. */
const styled = /\\0{0,4}(?<hex>[0-9a-f]{2}) ?/gi;
/** Single escapes of these two occur in any text; only several close together count. */
const minTogether = 3;
const near = 200;
/** Escapes of JSON. The letter of an escaped line end would touch the next word. */
const inStrings = /\\(?:u(?<unit>[0-9a-f]{4})|(?<sign>["\\/bfnrt]))/gi;
const signs: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** Line ends of mail, which may be in the middle of a word. */
const softBreak = /=\r?\n/g;
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};
const base64Run = /[A-Za-z0-9+/_-]{16,}/g;
const hexRun = /[0-9a-f]{16,}/gi;
const base32Run = /[A-Z2-7]{24,}/gi;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function wholeView(text: string): MappedText {
  const places = new Int32Array(text.length + 1);
  for (let at = 0; at < places.length; at += 1) places[at] = at;
  return { text, start: places, end: places.subarray(1) };
}

/** The text, and where it has escapes of JSON, what its strings say. */
export function spokenViews(text: string): [MappedText, ...MappedText[]] {
  const whole = wholeView(text);
  return [whole, ...(text.includes('\\') ? unescaped(whole, inStrings) : [])];
}

/** A text as it is, without its escapes, and what its runs of base64, base32 and hex stand for. */
export function viewsOf(text: string): MappedText[] {
  const views: MappedText[] = [];
  let layer: MappedText[] = [wholeView(text)];
  for (let depth = 0; depth < maxLayers && layer.length > 0; depth += 1) {
    const next: MappedText[] = [];
    for (const view of layer) {
      views.push(view);
      if (/[%\\&+]/.test(view.text)) next.push(...unescaped(view, escaped));
      for (const escapes of [quoted, styled]) next.push(...unescaped(view, escapes, minTogether));
      next.push(...unescaped(view, softBreak));
      if (unseen.test(view.text)) next.push(...unseenOf(view));
      next.push(...decoded(view, base64Run, base64), ...decoded(view, hexRun, hex));
      next.push(...decoded(view, base32Run, base32Code));
    }
    layer = next;
  }
  return [...views, ...layer];
}

/** Letters and digits alone, in small letters: whatever else stands between them. */
export function bareView({ text, start, end }: MappedText): MappedText {
  let units = new Uint16Array(text.length + 64);
  let places = new Int32Array(units.length);
  let count = 0;
  const add = (letters: string, at: number): void => {
    if (count + letters.length > units.length) {
      units = grown(units, new Uint16Array(2 * (count + letters.length)));
      places = grown(places, new Int32Array(units.length));
    }
    for (let index = 0; index < letters.length; index += 1) {
      units[count] = letters.charCodeAt(index);
      places[count] = at;
      count += 1;
    }
  };
  const lasts = new Map<number, number>();
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const letters = bareUnits[unit];
    if (letters !== undefined) {
      if (letters !== '') add(letters, at);
      continue;
    }
    const code = text.codePointAt(at) as number;
    add(bareText(String.fromCodePoint(code)), at);
    if (code > 0xffff) {
      lasts.set(at, at + 1);
      at += 1;
    }
  }
  const used = places.subarray(0, count);
  return {
    text: Buffer.from(units.buffer, 0, 2 * count).toString('utf16le'),
    start: used.map((at) => start[at] as number),
    end: used.map((at) => end[lasts.get(at) ?? at] as number),
  };
}

function grown<Numbers extends Uint16Array | Int32Array>(numbers: Numbers, into: Numbers): Numbers {
  into.set(numbers);
  return into;
}

export function bareText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => alike.get(letter) ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

const bareUnits = Array.from({ length: 128 }, (_, unit) => bareText(String.fromCharCode(unit)));

/** Letters that look like others, and what they are taken for. */
const alike: ReadonlyMap<string, string> = new Map(
  [
    ...['аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwкkмmтtнhвbɡgıi', 'αaοoρpνvιiκkτtυuχxεeηnωw'],
    ...['ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'],
    [...'abcdefghijklmnopqrstuvwxyz']
      .map((letter, at) => String.fromCodePoint(0x1f1e6 + at) + letter)
      .join(''),
  ].flatMap((pairs) => (pairs.match(/../gu) ?? []).map((pair) => [...pair] as [string, string])),
);

const unseen = /[\u200b-\u200f\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/u;

/**
 * Texts that are hidden in invisible characters: letters as tags, bytes as variations, and bits as
 * two kinds of zero-width spaces.
 */
function unseenOf(view: MappedText): MappedText[] {
  const tags = { text: '', start: [] as number[], end: [] as number[] };
  const bits = { text: '', start: [] as number[], end: [] as number[] };
  const first = unseen.exec(view.text)?.[0];
  for (let at = 0; at < view.text.length; ) {
    const code = view.text.codePointAt(at) as number;
    const last = code > 0xffff ? at + 1 : at;
    const byte =
      code >= 0xe0100 && code <= 0xe01ef
        ? code - 0xe0100 + 16
        : code >= 0xfe00 && code <= 0xfe0f
          ? code - 0xfe00
          : code >= 0xe0000 && code < 0xe0080
            ? code - 0xe0000
            : undefined;
    const isBit = byte === undefined && unseen.test(String.fromCodePoint(code));
    if (byte !== undefined || isBit) {
      const into = isBit ? bits : tags;
      into.text += isBit
        ? String(Number(String.fromCodePoint(code) !== first))
        : String.fromCharCode(byte as number);
      into.start.push(view.start[at] as number);
      into.end.push(view.end[last] as number);
    }
    at = last + 1;
  }
  const turned = bits.text.replace(/\d/g, (bit) => String(1 - Number(bit)));
  return [tags, bits, { ...bits, text: turned }];
}

/** @returns an empty list unless `together` escapes stand close to each other */
function unescaped(view: MappedText, escapes: RegExp, together = 1): MappedText[] {
  const found = [...view.text.matchAll(escapes)];
  if (!found.some(({ index }, at) => (found[at + together - 1]?.index ?? Infinity) < index + near))
    return [];
  const plain = { text: '', start: [] as number[], end: [] as number[] };
  let from = 0;
  const keep = (to: number): void => {
    plain.text += view.text.slice(from, to);
    for (let at = from; at < to; at += 1) {
      plain.start.push(view.start[at] as number);
      plain.end.push(view.end[at] as number);
    }
  };
  for (const match of found) {
    keep(match.index);
    from = match.index + match[0].length;
    const letter = letterOf(match.groups);
    if (letter === '') continue;
    plain.text += letter;
    plain.start.push(view.start[match.index] as number);
    plain.end.push(view.end[from - 1] as number);
  }
  keep(view.text.length);
  return [plain];
}

/** Empty for the end of a line. */
function letterOf(groups: Record<string, string> = {}): string {
  const { hex, decimal, octal, named: name, unit, sign } = groups;
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (sign !== undefined) return signs[sign] ?? sign;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  return named[(name ?? '').toLowerCase()] ?? '';
}

type Code = { bitsEach: number; group: number; bytesOf: (run: string) => Buffer };
const base64: Code = { bitsEach: 6, group: 4, bytesOf: (run) => Buffer.from(run, 'base64') };
const hex: Code = { bitsEach: 4, group: 2, bytesOf: (run) => Buffer.from(run, 'hex') };
const base32Code: Code = { bitsEach: 5, group: 8, bytesOf: bytesOfBase32 };

function bytesOfBase32(run: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const letter of run.toUpperCase()) {
    bits = ((bits << 5) | base32.indexOf(letter)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Buffer.from(bytes);
}

/** A run may begin with something else: it is read from each of the first places of a group. */
function decoded(view: MappedText, run: RegExp, { bitsEach, group, bytesOf }: Code): MappedText[] {
  return [...view.text.matchAll(run)].flatMap(({ 0: part, index }) =>
    Array.from({ length: group }, (_, shift) => {
      const text = bytesOf(part.slice(shift)).toString('latin1');
      const from = index + shift;
      const last = index + part.length - 1;
      const place = (bit: number): number => Math.min(from + Math.floor(bit / bitsEach), last);
      const start = Array.from(text, (_, at) => view.start[place(at * 8)] as number);
      const end = Array.from(text, (_, at) => view.end[place(at * 8 + 7)] as number);
      return { text, start, end };
    }),
  );
}
