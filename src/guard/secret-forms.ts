import { bareText } from './text-view.ts';

/** RFC 4648, its second alphabet, and the one of Crockford. */
const base32Alphabets = [
  'abcdefghijklmnopqrstuvwxyz234567',
  '0123456789abcdefghijklmnopqrstuv',
  '0123456789abcdefghjkmnpqrstvwxyz',
];
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** So much of a secret, letters and digits alone, tells of it as the whole does. */
const pieceLength = 16;

/**
 * What somebody makes of a secret who wants to bring it past a check, as letters and digits alone
 * in small letters: the secret itself and its pieces, hex, base64 at its three places in a longer
 * text, base32, base58, base85, numbers of characters, letters that are moved on in the alphabet,
 * and each of these from behind. An encoding of the secret from behind, too.
 */
export function secretForms(value: string): Set<string> {
  const forms = new Set<string>();
  const plain = bareText(value);
  for (const text of [value, backwards(value)]) {
    const bytes = Buffer.from(text);
    const written = [
      bareText(text),
      bytes.toString('hex'),
      ...[10, 8].flatMap((radix) => [1, 3].map((digits) => numbersOf(bytes, radix, digits))),
      ...prefixed.map(([radix, digits, before]) => numbersOf(bytes, radix, digits, before)),
      ...[7, 8].map((digits) => numbersOf(bytes, 2, digits)),
      ...wholeNumbers(bytes),
      ...base32Alphabets.map((alphabet) => base32Of(bytes, alphabet)),
      ...base64Forms(bytes),
    ];
    for (const form of written) forms.add(form).add(backwards(form));
  }
  const bytes = Buffer.from(value);
  const turned = [
    ...moves.map((move) => moved(plain, move)),
    moved(plain, 13).replace(/\d/g, (digit) => String((Number(digit) + 5) % 10)),
    bareAscii(value.replace(/[!-~]/g, turnedSign)),
    ...base64Forms(bytes, (whole) => moved(whole, 13)),
    ...[base58Of(bytes), base85Of(bytes)].map(bareAscii),
  ];
  for (const form of turned) forms.add(form).add(backwards(form));
  for (let at = 0; at + pieceLength <= plain.length; at += 1) {
    const piece = plain.slice(at, at + pieceLength);
    // Words of a language have no digits; what has none is looked for as a whole alone.
    if (/\d.*\d/.test(piece)) forms.add(piece).add(backwards(piece));
  }
  return forms;
}

/** As `bareText`, of what holds no other letters. */
function bareAscii(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
}

export function backwards(text: string): string {
  return text.split('').reverse().join('');
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

/** A long number takes long, and nobody writes one so. */
const maxWhole = 128;

function wholeNumbers(bytes: Buffer): string[] {
  if (bytes.byteLength > maxWhole) return [];
  const whole = BigInt(`0x${bytes.toString('hex') || '0'}`);
  return [10, 36].map((radix) => whole.toString(radix));
}

/** Of all signs that can be seen the one half of them further on. */
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

/** Whole groups of four bytes; the last one depends on what fills it up. */
function base85Of(bytes: Buffer): string {
  const letters: number[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    let rest = bytes.readUInt32BE(at);
    for (let place = 4; place >= 0; place -= 1) {
      letters[(at / 4) * 5 + place] = 33 + (rest % 85);
      rest = Math.floor(rest / 85);
    }
  }
  return String.fromCharCode(...letters);
}

/** How far letters can be moved on in the alphabet; undefined turns it round. */
const moves = [...Array.from({ length: 25 }, (_, before) => before + 1), undefined];

export function moved(text: string, by: number | undefined): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    const at = letter.charCodeAt(0) - first;
    return String.fromCharCode(first + (by === undefined ? 25 - at : (at + by) % 26));
  });
}
