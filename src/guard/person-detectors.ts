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

/** Names of columns whose cells have no other sign, and the form of such a cell. */
const columns: readonly { kind: string; name: RegExp; isCell(cell: string): boolean }[] = [
  {
    kind: 'us-ssn',
    name: /^(?:ssn|social[ _-]?security(?:[ _-]?(?:no|number))?)$/i,
    isCell: (cell) => /^(?!000|666|9)\d{3}-?\d{2}-?\d{4}$/.test(cell),
  },
  {
    kind: 'phone',
    name: /^(?:phone|mobile|cell|tel|telephone|fax)(?:[ _-]?(?:no|number))?$/i,
    isCell: (cell) => /^\+?[\d ()./-]{7,24}$/.test(cell) && cell.replace(/\D/g, '').length >= 7,
  },
];
const separators = [',', ';', '\t', '|'] as const;
const maxCells = 200;

/** Cells of tables with a first line of names, below a name that says what they are. */
function findCells(text: string, kind: string): Span[] {
  const column = columns.find((one) => one.kind === kind);
  if (column === undefined || !column.name.source) return [];
  const spans: Span[] = [];
  let header: { separator: string; count: number; at: number } | undefined;
  for (let start = 0; start <= text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop;
    const line = text.slice(start, end).replace(/\r$/, '');
    const cells = header === undefined ? [] : line.split(header.separator, maxCells);
    if (header !== undefined && cells.length === header.count) {
      const from =
        start + cells.slice(0, header.at).join(header.separator).length + (header.at > 0 ? 1 : 0);
      const raw = cells[header.at] ?? '';
      const cell = raw.replace(/^[\s"']+|[\s"']+$/g, '');
      const inset = raw.indexOf(cell);
      if (cell !== '' && column.isCell(cell)) {
        spans.push({ start: from + inset, end: from + inset + cell.length });
      }
    } else header = headerOf(line, column.name);
    start = end + 1;
  }
  return spans;
}

function headerOf(line: string, name: RegExp) {
  if (line.length > 4_000) return undefined;
  for (const separator of separators) {
    if (!line.includes(separator)) continue;
    const names = line
      .split(separator, maxCells)
      .map((cell) => cell.replace(/^[\s"']+|[\s"']+$/g, ''));
    const at = names.findIndex((cell) => name.test(cell));
    if (at >= 0 && names.length > 1) return { separator, count: names.length, at };
  }
  return undefined;
}

export const columnDetectors: readonly Detector[] = columns.map(({ kind }) => ({
  kind,
  find: (text) => findCells(text, kind),
}));

/** ITU E.164: at most 15 digits behind the plus; below 8 nothing is reached. */
const minDigits = 8;
const maxDigits = 15;
/** Country codes by their first digits. */
const countryCode =
  /^(?:1|7|2[07]|2[1-689]\d|3[0-469]|3[578]\d|4[013-9]|42[013]|5[1-8]|5[09]\d|6[0-6]|6[789]\d|8[1246]|8[0578]\d|9[0-58]|9[679]\d)/;

/** Numbers with a country code, from each `+` on. */
function findInternational(text: string): Span[] {
  const spans: Span[] = [];
  for (let plus = text.indexOf('+'); plus >= 0; plus = text.indexOf('+', plus + 1)) {
    if (/[\w+.]/.test(text[plus - 1] ?? '')) continue;
    const end = endOfNumber(text, plus + 1);
    const digits = text.slice(plus, end).replace(/\D/g, '');
    if (digits.length < minDigits || digits.length > maxDigits) continue;
    if (/[\w]/.test(text[end] ?? '') || !countryCode.test(digits)) continue;
    spans.push({ start: plus, end });
  }
  return spans;
}

/** The end of a number: groups with one separator each, or brackets, between them. */
function endOfNumber(text: string, start: number): number {
  const group = /(?:[ ./-]|[ -]?\((?=\d{1,5}\))|(?<=\(\d{1,5})\)[ -]?)?\d{1,15}/y;
  let end = start;
  let digits = 0;
  while (digits <= maxDigits) {
    group.lastIndex = end;
    const found = group.exec(text)?.[0];
    if (found === undefined || (end === start && !/^\d/.test(found))) break;
    const more = found.replace(/\D/g, '').length;
    // A further number may follow in the next column.
    if (digits + more > maxDigits && digits >= minDigits) break;
    digits += more;
    end += found.length;
  }
  return end;
}

/** Area and exchange of the North American plan: neither begins with 0 or 1, none is N11. */
function isNorthAmerican(found: string): boolean {
  const digits = found.replace(/\D/g, '').replace(/^1(?=\d{10})/, '');
  return /^[2-9](?!11)\d\d[2-9](?!11)\d{6}$/.test(digits);
}

/** A national number with a leading zero: two or three groups, or five groups of two digits. */
function isNational(found: string): boolean {
  const groups = found.split(/[ /-]/).map(({ length }) => length);
  const digits = groups.reduce((sum, length) => sum + length, 0);
  if (digits < 9 || digits > 11 || found[1] === '0') return false;
  const shape = groups.join('-');
  return shape === '2-2-2-2-2' || /^[3-5]-(?:[3-8]|[3-5]-[3-5])$/.test(shape);
}

/** After a word that announces a number; a date is never one. */
function isLabelled(found: string): boolean {
  const digits = found.replace(/\D/g, '').length;
  return (
    digits >= 7 && digits <= maxDigits && !/^\d{4}-\d\d-\d\d$|^\d\d?\.\d\d?\.\d{4}$/.test(found)
  );
}

const before = String.raw`(?<![\w.+]|\d[ /-])`;
const behind = String.raw`(?!\w|[ /-]\d|\.\d)`;

const phoneParts: readonly (Detector | Pattern)[] = [
  { kind: 'phone', find: findInternational },
  {
    kind: 'phone',
    pattern: new RegExp(
      String.raw`(?<![\w.+]|\d[ /-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}([ .-]))\d{3}[ .-]\d{4}${behind}`,
      'g',
    ),
    accept: isNorthAmerican,
  },
  {
    kind: 'phone',
    pattern: new RegExp(String.raw`${before}0\d{1,4}(?:[ /-]\d{2,8}){1,4}${behind}`, 'g'),
    accept: isNational,
  },
  {
    kind: 'phone',
    pattern: new RegExp(
      String.raw`(?<![a-z])(?:phone|telephone|tel|mobile|mob|cell|fax|telefon|handy|celular|tél|móvil)(?:[ _-]?(?:number|no|nr))?["'\`]?[.:=#]{1,2}\s{0,2}["'\`]?(\(?\d[\d ()./-]{5,20}\d)${behind}`,
      'gi',
    ),
    group: 1,
    accept: isLabelled,
  },
];

const phoneDetectors: readonly Detector[] = phoneParts.map(detectorOf);

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
