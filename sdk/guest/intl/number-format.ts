import { type UnitDisplay, unitParts } from './units.ts';

export type NumberOptions = {
  style?: 'decimal' | 'percent' | 'currency' | 'unit';
  currency?: string;
  currencyDisplay?: 'symbol' | 'narrowSymbol' | 'code' | 'name';
  unit?: string;
  unitDisplay?: UnitDisplay;
  notation?: 'standard' | 'compact' | 'scientific' | 'engineering';
  compactDisplay?: 'short' | 'long';
  signDisplay?: 'auto' | 'never' | 'always' | 'exceptZero' | 'negative';
  useGrouping?: boolean | 'always' | 'auto' | 'min2';
  minimumIntegerDigits?: number;
  minimumFractionDigits?: number;
  maximumFractionDigits?: number;
  minimumSignificantDigits?: number;
  maximumSignificantDigits?: number;
  roundingMode?: string;
};

export type Part = { type: string; value: string };

const symbols: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  CNY: 'CN¥',
  INR: '₹',
  KRW: '₩',
  BRL: 'R$',
  CAD: 'CA$',
  AUD: 'A$',
  MXN: 'MX$',
};
const withoutFraction: ReadonlySet<string> = new Set(['JPY', 'KRW', 'VND', 'CLP', 'ISK']);

const compact = [
  { from: 1e12, short: 'T', long: ' trillion' },
  { from: 1e9, short: 'B', long: ' billion' },
  { from: 1e6, short: 'M', long: ' million' },
  { from: 1e3, short: 'K', long: ' thousand' },
];

/** `Intl.NumberFormat` of American English, whatever the locale. */
export class NumberFormat {
  readonly #options: NumberOptions;
  readonly format: (value: number | bigint | string) => string;

  constructor(_locale?: unknown, options: NumberOptions = {}) {
    this.#options = options;
    if (options.style === 'currency' && options.currency === undefined) {
      throw new TypeError('Currency code is required with currency style.');
    }
    if (options.style === 'unit') unitParts(options.unit ?? '', 'long', true);
    this.format = (value) =>
      this.formatToParts(value)
        .map((part) => part.value)
        .join('');
  }

  formatToParts(given: number | bigint | string): Part[] {
    const options = this.#options;
    const parts: Part[] = [];
    const isNegative = Number(given) < 0 || Object.is(given, -0);
    let value: number | bigint =
      typeof given === 'bigint' ? (given < 0n ? -given : given) : Math.abs(Number(given));
    if (options.style === 'percent') value = Number(value) * 100;
    let suffix = '';
    if (options.notation === 'compact' && typeof value === 'number') {
      const step = compact.find(({ from }) => (value as number) >= from * 0.9995);
      if (step !== undefined) {
        value /= step.from;
        suffix = options.compactDisplay === 'long' ? step.long : step.short;
      }
    }
    const body = this.#body(value);
    const isZero = body.every(
      ({ type, value: text }) => !/integer|fraction/.test(type) || /^0*$/.test(text),
    );
    const sign = signOf(options.signDisplay ?? 'auto', isNegative, isZero);
    if (sign !== '') parts.push({ type: sign === '-' ? 'minusSign' : 'plusSign', value: sign });
    if (options.style === 'currency') parts.push(...this.#currency());
    parts.push(...body);
    if (suffix !== '') parts.push({ type: 'compact', value: suffix });
    if (options.style === 'percent') parts.push({ type: 'percentSign', value: '%' });
    if (options.style === 'unit') {
      const isOne = suffix === '' && body.length === 1 && body[0]?.value === '1';
      parts.push(...unitParts(options.unit ?? '', options.unitDisplay ?? 'short', isOne));
    }
    return parts;
  }

  resolvedOptions(): object {
    const { least, most } = this.#digits();
    return {
      locale: 'en-US',
      numberingSystem: 'latn',
      style: 'decimal',
      ...this.#options,
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    };
  }

  static supportedLocalesOf(): string[] {
    return ['en-US'];
  }

  #currency(): Part[] {
    const { currency = '', currencyDisplay = 'symbol' } = this.#options;
    const symbol = currencyDisplay === 'code' ? undefined : symbols[currency.toUpperCase()];
    const code: Part = { type: 'currency', value: symbol ?? currency.toUpperCase() };
    return symbol === undefined ? [code, { type: 'literal', value: '\u00a0' }] : [code];
  }

  #digits(): { least: number; most: number } {
    const { style, currency = '', notation } = this.#options;
    const isMoney = style === 'currency';
    const usual = isMoney && !withoutFraction.has(currency.toUpperCase()) ? 2 : 0;
    const usualMost = isMoney ? usual : style === 'percent' || notation === 'compact' ? 0 : 3;
    const { minimumFractionDigits: min, maximumFractionDigits: max } = this.#options;
    const least = min ?? Math.min(usual, max ?? usual);
    return { least, most: max ?? Math.max(usualMost, least) };
  }

  #body(value: number | bigint): Part[] {
    if (typeof value === 'number' && Number.isNaN(value)) return [{ type: 'nan', value: 'NaN' }];
    if (value === Number.POSITIVE_INFINITY) return [{ type: 'infinity', value: '∞' }];
    const [whole = '0', fraction = ''] = this.#digitsOf(value);
    const { minimumIntegerDigits = 1, useGrouping = true } = this.#options;
    const integer = whole.padStart(minimumIntegerDigits, '0');
    const groups =
      useGrouping === false ? [integer] : (integer.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? []);
    const parts = groups.flatMap((digits, index): Part[] => [
      ...(index > 0 ? [{ type: 'group', value: ',' }] : []),
      { type: 'integer', value: digits },
    ]);
    if (fraction !== '') {
      parts.push({ type: 'decimal', value: '.' }, { type: 'fraction', value: fraction });
    }
    return parts;
  }

  #digitsOf(value: number | bigint): string[] {
    const { maximumSignificantDigits: most, minimumSignificantDigits: least } = this.#options;
    if (typeof value === 'bigint') return [String(value), '0'.repeat(this.#digits().least)];
    const isSmallCompact = this.#options.notation === 'compact' && value < 100;
    if (most !== undefined || least !== undefined || (isSmallCompact && this.#isUsual())) {
      const text = plain(Number(value.toPrecision(most ?? (isSmallCompact ? 2 : 21))));
      const [whole = '0', fraction = ''] = text.split('.');
      const missing = (least ?? 1) - (whole === '0' ? 0 : whole.length) - fraction.length;
      return [whole, fraction + '0'.repeat(Math.max(0, missing))];
    }
    const { least: min, most: max } = this.#digits();
    const [whole = '0', fraction = ''] = rounded(value, max).split('.');
    const short = fraction.replace(/0+$/, '');
    return [whole, short.padEnd(min, '0')];
  }

  #isUsual(): boolean {
    const { minimumFractionDigits: min, maximumFractionDigits: max } = this.#options;
    return min === undefined && max === undefined;
  }
}

/** Half away from zero, by the digits that the number is written with. */
function rounded(value: number, digits: number): string {
  const text = plain(value);
  const [whole = '0', fraction = ''] = text.split('.');
  if (fraction.length <= digits) return text;
  const kept = BigInt(whole + fraction.slice(0, digits));
  const up = fraction.charCodeAt(digits) >= 0x35 ? 1n : 0n;
  const all = String(kept + up).padStart(digits + 1, '0');
  return digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/** Without an exponent. */
function plain(value: number): string {
  const text = String(value);
  const found = /^(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (found === null) return text;
  const [, whole = '', fraction = '', exponent = '0'] = found;
  const shift = Number(exponent);
  if (shift < 0) return `0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return whole + fraction.padEnd(shift, '0');
}

function signOf(display: string, isNegative: boolean, isZero: boolean): '' | '-' | '+' {
  if (display === 'never') return '';
  if (isNegative && !(isZero && display !== 'auto' && display !== 'always')) return '-';
  if (display === 'always' || (display === 'exceptZero' && !isZero)) return '+';
  return '';
}
