import { bareText } from './mapped-text.ts';

const letters62 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** RFC 4648, its second alphabet, and the one of Crockford. */
const base32Alphabets = [
  'abcdefghijklmnopqrstuvwxyz234567',
  '0123456789abcdefghijklmnopqrstuv',
  '0123456789abcdefghjkmnpqrstvwxyz',
];
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Ascii85, Z85, and the one of RFC 1924. */
const base85Alphabets = [
  String.fromCharCode(...Array.from({ length: 85 }, (_, at) => 33 + at)),
  `${letters62}.-:+=^!/*?&<>()[]{}@%$#`,
  `${letters62.slice(0, 10)}${letters62.slice(36)}${letters62.slice(10, 36)}!#$%&()*+-;<=>?@^_\`{|}~`,
];
/** So many letters and digits of a secret count as the whole secret. */
const pieceLength = 16;
/** For a key of a known format fewer are enough: its letters form no words. */
const sliceLength = 10;
/** The shortest part of a key that is counted with others. */
const shareLength = 4;

/**
 * Disguises of a secret that is to pass a check, by their names in docs/privacy.md. The list is
 * closed; docs/decisions/0043 says why.
 */
export const disguises: Readonly<Record<string, (value: string, isKey: boolean) => string[]>> = {
  'as it is, without the signs between its letters': (value) => [bareText(value)],
  'a piece of 16 letters with two digits': piecesOf,
  'of a key of a known format, 10 letters with a digit or a capital behind a small one': (
    value,
    isKey,
  ) => (isKey ? slicesOf(value) : []),
  hex: (value) => [Buffer.from(value).toString('hex')],
  'numbers of its characters: binary, octal, decimal, hex': (value) => {
    const bytes = Buffer.from(value);
    return [
      ...[10, 8].flatMap((radix) => [1, 3].map((digits) => numbersOf(bytes, radix, digits))),
      ...prefixed.map(([radix, digits, before]) => numbersOf(bytes, radix, digits, before)),
      ...[7, 8].map((digits) => numbersOf(bytes, 2, digits)),
    ];
  },
  'all of it as one number': (value) => wholeNumbers(Buffer.from(value)),
  'base32, at each of its five places': (value) =>
    base32Alphabets.flatMap((alphabet) => base32Forms(Buffer.from(value), alphabet)),
  'base64, at each of its three places in a longer text': (value) =>
    base64Forms(Buffer.from(value)),
  'base64 with its letters moved by 13, and the letters of uuencode': (value) => [
    ...base64Forms(Buffer.from(value), (whole) => moved(whole, 13)),
    ...base64Forms(Buffer.from(value), uuencoded),
  ],
  'base58, and base85 with three alphabets, at each of its four places': (value) =>
    [
      base58Of(Buffer.from(value)),
      ...base85Alphabets.flatMap((alphabet) => base85Forms(Buffer.from(value), alphabet)),
    ].map(bareAscii),
  'letters moved on in the alphabet, or counted from its end: all, small ones or capitals': (
    value,
  ) => {
    const plain = bareText(value);
    const some = [/[a-z]+/g, /[A-Z]+/g].flatMap((letters) =>
      moves.map((by) => bareText(value.replace(letters, (part) => moved(part, by)))),
    );
    const both = moved(plain, 13).replace(/\d/g, (digit) => String((Number(digit) + 5) % 10));
    return [...moves.map((move) => moved(plain, move)), ...some, both];
  },
  'signs moved by 47': (value) => [bareAscii(value.replace(/[!-~]/g, turnedSign))],
};

/** All disguises, as letters and digits alone in small letters, each also from behind. */
export function secretForms(value: string, isKey: boolean): Set<string> {
  const forms = new Set<string>();
  for (const text of [value, backwards(value)]) {
    for (const make of Object.values(disguises))
      for (const form of make(text, isKey)) forms.add(form).add(backwards(form));
  }
  return forms;
}

/**
 * Forms of a secret that may be searched for in pieces: only secrets with digits, since words have
 * none.
 */
export function spelledForms(value: string): string[] {
  const plain = bareText(value);
  if (plain.length < pieceLength || !/\d/.test(plain)) return [];
  const bytes = Buffer.from(value);
  return [plain, backwards(plain), bytes.toString('hex'), ...base64Forms(bytes)];
}

function piecesOf(value: string): string[] {
  // Words of a language have no digits; what has none is looked for as a whole alone.
  return partsOf(bareText(value), pieceLength).filter((piece) => /\d.*\d/.test(piece));
}

/** Prefixes that issuers give their keys are words in any text about them. */
function slicesOf(value: string): string[] {
  return partsOf(value.replace(/[^a-z0-9]+/gi, ''), sliceLength)
    .filter(isOfNoWord)
    .map((slice) => slice.toLowerCase());
}

function isOfNoWord(slice: string): boolean {
  return /\d|[a-z].*[A-Z]/.test(slice);
}

/**
 * Parts of a few letters of a key's forms, in order, to find a key spread over many results;
 * undefined for a part that is also a word.
 */
export function shares(value: string): (string | undefined)[][] {
  const cased = value.replace(/[^a-z0-9]+/gi, '');
  const bytes = Buffer.from(value);
  const plain = (text: string) =>
    partsOf(text, shareLength).map((part) => (isOfNoWord(part) ? part.toLowerCase() : undefined));
  const coded = [
    { form: bytes.toString('hex'), length: 2 * shareLength },
    ...base64Forms(bytes).map((form) => ({ form, length: Math.ceil((4 / 3) * shareLength) })),
  ];
  return [
    plain(cased),
    plain(backwards(cased)),
    ...coded.map(({ form, length }) => partsOf(form, length)),
  ];
}

function partsOf(text: string, length: number): string[] {
  const count = Math.max(0, text.length - length + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + length));
}

/** As `bareText`, for a text of ASCII letters only. */
function bareAscii(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
}

export function backwards(text: string): string {
  let turned = '';
  for (let at = text.length - 1; at >= 0; at -= 1) turned += text.charAt(at);
  return turned;
}

/** Without the characters that hold bits of neighbours. */
function base64Forms(value: Buffer, turn = (whole: string): string => whole): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), value]);
    const whole = turn(bytes.toString('base64'));
    return bareAscii(
      whole.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.byteLength * 8) / 6)),
    );
  });
}

function numbersOf(bytes: Buffer, radix: number, digits = 1, before = ''): string {
  return [...bytes].map((byte) => before + byte.toString(radix).padStart(digits, '0')).join('');
}

/** Without the characters that hold bits of neighbours. */
function base32Forms(value: Buffer, alphabet: string): string[] {
  return [0, 1, 2, 3, 4].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), value]);
    return base32Of(bytes, alphabet).slice(Math.ceil((before * 8) / 5));
  });
}

function base32Of(bytes: Buffer, alphabet: string): string {
  let written = '';
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (count += 8; count >= 5; count -= 5) written += alphabet[(bits >> (count - 5)) & 31];
  }
  return written;
}

/** How numbers of characters are written, beside the digits alone. */
const prefixed: readonly (readonly [radix: number, digits: number, before: string])[] = [
  ...([
    [16, 2, '0x'],
    [16, 2, 'x'],
    [16, 4, 'u'],
    [2, 8, '0b'],
    [8, 1, '0o'],
  ] as const),
];

/** Longer numbers take long to compute, and real secrets are not written so. */
const maxWhole = 128;

function wholeNumbers(bytes: Buffer): string[] {
  if (bytes.byteLength > maxWhole) return [];
  const whole = BigInt(`0x${bytes.toString('hex') || '0'}`);
  return [10, 36].map((radix) => whole.toString(radix));
}

/** ROT47: the sign 47 places further among the 94 visible ones. */
function turnedSign(sign: string): string {
  return String.fromCharCode(33 + ((sign.charCodeAt(0) - 33 + 47) % 94));
}

function base58Of(bytes: Buffer): string {
  if (bytes.byteLength > maxWhole) return '';
  let rest = BigInt(`0x${bytes.toString('hex') || '0'}`);
  let written = '';
  for (; rest > 0n; rest /= 58n) written = base58.charAt(Number(rest % 58n)) + written;
  return written;
}

/** Only whole groups of four bytes; the text of partial ones depends on neighbouring bytes. */
function base85Forms(bytes: Buffer, alphabet: string): string[] {
  return [0, 1, 2, 3].map((first) => {
    let written = '';
    for (let at = first; at + 4 <= bytes.byteLength; at += 4) {
      let rest = bytes.readUInt32BE(at);
      let group = '';
      for (let place = 0; place < 5; place += 1) {
        group = alphabet.charAt(rest % 85) + group;
        rest = Math.floor(rest / 85);
      }
      written += group;
    }
    return written;
  });
}

const base64Letters = `${letters62.slice(36)}${letters62.slice(10, 36)}${letters62.slice(0, 10)}+/`;

/** The letter of the same number in uuencode. */
function uuencoded(whole: string): string {
  return whole.replace(/[^=]/g, (letter) =>
    String.fromCharCode(32 + base64Letters.indexOf(letter)),
  );
}

/** How far letters can be moved on in the alphabet; undefined turns it round. */
const moves = [...Array.from({ length: 25 }, (_, before) => before + 1), undefined];

export function moved(text: string, by: number | undefined): string {
  const letters = movedLetters.get(by) ?? [];
  let result = '';
  for (let at = 0; at < text.length; at += 1)
    result += letters[text.charCodeAt(at)] ?? text.charAt(at);
  return result;
}

/** For each way, by the code of the letter. */
const movedLetters = new Map(
  moves.map((by) => [
    by,
    Array.from({ length: 128 }, (_, code) => {
      const letter = String.fromCharCode(code);
      if (!/[a-z]/i.test(letter)) return letter;
      const first = letter <= 'Z' ? 65 : 97;
      const at = code - first;
      return String.fromCharCode(first + (by === undefined ? 25 - at : (at + by) % 26));
    }),
  ]),
);
