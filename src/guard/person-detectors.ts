import {
  type Detector,
  detectorOf,
  isCardNumber,
  type Pattern,
  passesCpf,
  passesDniLetter,
  passesMod97,
  type Span,
} from './detector.ts';
import { phoneDetectors } from './phone-detectors.ts';

type Place = { text: string } & Span;

/** Whether a word stands shortly before, on the same line. */
function saysBefore(word: RegExp, { text, start }: Place): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  return word.test(before.slice(before.lastIndexOf('\n') + 1));
}

/** Characters of an IBAN by country (SWIFT's registry). */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 ' +
    'EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 ' +
    'KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 ' +
    'PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 ' +
    'XK20'
  )
    .split(' ')
    .map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** As many characters as the country's have, single spaces between them not counted. */
function findIbans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { index } of text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?= ?[A-Z0-9])/g)) {
    const length = ibanLengths.get(text.slice(index, index + 2));
    if (length === undefined) continue;
    let iban = '';
    let end = index;
    while (iban.length < length) {
      const skip = text[end] === ' ' ? 1 : 0;
      const character = text[end + skip] ?? '';
      if (!/^[A-Z0-9]$/.test(character)) break;
      iban += character;
      end += skip + 1;
    }
    if (iban.length < length || /[A-Za-z0-9]/.test(text[end] ?? '')) continue;
    if (passesMod97(iban)) spans.push({ start: index, end });
  }
  return spans;
}

/** A number with fewer digits is a product's number (EAN) more often than a card's. */
const minCardDigits = 14;

/** Digits in groups as they are embossed: by fours, or 4-6-5 and 4-6-4, or none. */
function isCard(found: string, place: Place): boolean {
  if (/[ ]/.test(found) && found.includes('-')) return false;
  const groups = found.split(/[ -]/).map(({ length }) => length);
  const shape = groups.join('-');
  const isGrouped =
    groups.length === 1 || /^4-4-4-(?:\d|4-\d)$/.test(shape) || /^4-6-[45]$/.test(shape);
  const digits = found.replace(/[ -]/g, '');
  if (digits.length < minCardDigits && !saysBefore(/card|visa|maestro|\bpan\b/i, place))
    return false;
  return isGrouped && isCardNumber(digits);
}

/** Numbers that were printed on cards and in advertisements, and withdrawn. */
const withdrawn: ReadonlySet<string> = new Set(['078051120', '219099999', '457555462']);

/** As the Social Security Administration gives them out; without hyphens where a word says so. */
function isSsn(found: string, place: Place): boolean {
  const digits = found.replace(/\D/g, '');
  if (/^(?:000|666|9)|^...00|0000$/.test(digits) || withdrawn.has(digits)) return false;
  return found.includes('-') || saysBefore(/\bssn\b|social[ _-]?sec/i, place);
}

/** Two letters that were never given out by HMRC. */
const noNino = /^(?:BG|GB|KN|NK|NT|TN|ZZ)/;

/** Signs that identify one person. */
const parts: readonly (Detector | Pattern)[] = [
  { kind: 'iban', find: findIbans },
  {
    kind: 'payment-card',
    pattern: /(?<![\w.]|\d[ -])\d(?:[ -]?\d){11,18}(?![\w]|[ -]\d|\.\d)/g,
    accept: isCard,
  },
  {
    kind: 'us-ssn',
    pattern: /(?<![\w.]|\d[ -])(?:\d{3}([- ])\d{2}\1\d{4}|\d{9})(?!\w|[ -]\d|\.\d)/g,
    accept: isSsn,
  },
  {
    kind: 'uk-nino',
    pattern: /(?<!\w)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/g,
    accept: (found) => !noNino.test(found),
  },
  {
    kind: 'es-dni',
    pattern: /(?<![\w-])(?:\d{8}|[XYZ]\d{7})[A-Z](?![\w-])/g,
    accept: passesDniLetter,
  },
  {
    kind: 'br-cpf',
    pattern: /(?<![\w.-])(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})(?![\w-]|\.\d)/g,
    accept: (found, place) =>
      passesCpf(found.replace(/\D/g, '')) && (found.includes('-') || saysBefore(/\bcpf\b/i, place)),
  },
  ...phoneDetectors,
];

export const personDetectors: readonly Detector[] = parts.map(detectorOf);
