import { bareText } from './text-view.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** So much of a secret, letters and digits alone, tells of it as the whole does. */
const pieceLength = 16;

/**
 * What somebody makes of a secret who wants to bring it past a check, as letters and digits alone
 * in small letters: the secret itself and its pieces, hex, base64 at its three places in a longer
 * text, base32, rot13, numbers of characters, and each of these from behind. An encoding of the
 * secret from behind, too.
 */
export function secretForms(value: string): Set<string> {
  const forms = new Set<string>();
  const plain = bareText(value);
  for (const text of [value, backwards(value)]) {
    const bytes = Buffer.from(text);
    const written = [
      bareText(text),
      bytes.toString('hex'),
      numbersOf(bytes, 16, 2, '0x'),
      ...[10, 8].map((radix) => numbersOf(bytes, radix)),
      numbersOf(bytes, 8, 3),
      numbersOf(bytes, 2, 8),
      base32Of(bytes),
      rot13(plain),
      ...base64Forms(bytes),
    ];
    for (const form of written) forms.add(form).add(backwards(form));
  }
  for (let at = 0; at + pieceLength <= plain.length; at += 1) {
    const piece = plain.slice(at, at + pieceLength);
    // Words of a language have no digits; what has none is looked for as a whole alone.
    if (/\d.*\d/.test(piece)) forms.add(piece).add(backwards(piece));
  }
  return forms;
}

export function backwards(text: string): string {
  return text.split('').reverse().join('');
}

/** Without the characters that hold bits of neighbours. */
function base64Forms(value: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), value]);
    const whole = bytes.toString('base64');
    return bareText(
      whole.slice(Math.ceil((before * 8) / 6), Math.floor((bytes.byteLength * 8) / 6)),
    );
  });
}

function numbersOf(bytes: Buffer, radix: number, digits = 1, before = ''): string {
  return [...bytes].map((byte) => before + byte.toString(radix).padStart(digits, '0')).join('');
}

function base32Of(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => base32[Number.parseInt(five, 2)]).join('');
}

function rot13(text: string): string {
  return text.replace(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97),
  );
}
