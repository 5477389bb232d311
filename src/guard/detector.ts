/** Luhn's check of card numbers. @param digits decimal digits alone */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

/** ISO 7064 MOD 97-10 as IBANs have it. @param iban upper-case letters and digits alone */
export function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Letter of a Spanish DNI or NIE. @param id eight digits or X, Y, Z with seven, and a letter */
export function passesDniLetter(id: string): boolean {
  const digits = id.slice(0, -1).replace(/^[XYZ]/, (first) => String('XYZ'.indexOf(first)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === id.at(-1);
}

/** Both check digits of a Brazilian CPF. @param digits eleven */
export function passesCpf(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => {
    let sum = 0;
    for (let i = 0; i < length; i += 1) sum += (length + 1 - i) * Number(digits[i]);
    return ((sum * 10) % 11) % 10 === Number(digits[length]);
  });
}

/** Networks that issue cards, with their lengths in digits. */
const issuers: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14]],
  [/^(?:6011|64[4-9]|65|62)/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^(?:50|5[6-8]|6304|67)/, [12, 13, 14, 15, 16, 17, 18, 19]],
];

/** A number that a network of cards could have issued. @param digits decimal digits alone */
export function isCardNumber(digits: string): boolean {
  const isIssued = issuers.some(
    ([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length),
  );
  return isIssued && passesLuhn(digits);
}

/** A part of a text: UTF-16 units from `start` up to but not including `end`. */
export type Span = { start: number; end: number };

/** Finds one kind of thing. Linear in the length of the text; spans of one call do not overlap. */
export type Detector = { kind: string; find(text: string): Span[] };

/**
 * A kind by a regular expression with the flag `g`. The expressions of this folder stay linear on
 * any input: each repetition that can fail late is bounded, or starts once a run of its characters
 * by a look-behind.
 */
export type Pattern = {
  kind: string;
  pattern: RegExp;
  /** which group is meant; the whole match without it */
  group?: number;
  /** a further check, e.g. of a check digit */
  accept?: (found: string, place: { text: string } & Span) => boolean;
};

export function detectorOf(part: Detector | Pattern): Detector {
  if ('find' in part) return part;
  const { kind, pattern, group, accept } = part;
  return {
    kind,
    find: (text) => {
      const spans: Span[] = [];
      for (const match of text.matchAll(pattern)) {
        const found = group === undefined ? match[0] : match[group];
        if (found === undefined) continue;
        const start = match.index + (group === undefined ? 0 : match[0].lastIndexOf(found));
        const end = start + found.length;
        if (accept === undefined || accept(found, { text, start, end })) spans.push({ start, end });
      }
      return spans;
    },
  };
}
