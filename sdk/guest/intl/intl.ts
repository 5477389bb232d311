import { callable } from './callable.ts';
import { Collator } from './collator.ts';
import { DateTimeFormat } from './date-time-format.ts';
import { NumberFormat } from './number-format.ts';
import { Segmenter } from './segmenter.ts';

type PluralOptions = { type?: 'cardinal' | 'ordinal' };

class PluralRules {
  readonly #options: PluralOptions;

  constructor(_locale?: unknown, options: PluralOptions = {}) {
    this.#options = options;
  }

  select(count: number): string {
    if (this.#options.type !== 'ordinal') return count === 1 ? 'one' : 'other';
    const [last, lastTwo] = [count % 10, count % 100];
    if (last === 1 && lastTwo !== 11) return 'one';
    if (last === 2 && lastTwo !== 12) return 'two';
    return last === 3 && lastTwo !== 13 ? 'few' : 'other';
  }

  resolvedOptions(): object {
    return { locale: 'en-US', type: 'cardinal', ...this.#options };
  }

  static supportedLocalesOf(): string[] {
    return ['en-US'];
  }
}

type ListOptions = {
  type?: 'conjunction' | 'disjunction' | 'unit';
  style?: 'long' | 'short' | 'narrow';
};

class ListFormat {
  /** before the last, of two and of more */
  readonly #last: readonly [two: string, more: string];
  readonly #comma: string;

  constructor(_locale?: unknown, { type = 'conjunction', style = 'long' }: ListOptions = {}) {
    const word = type === 'disjunction' ? 'or ' : style === 'long' ? 'and ' : '& ';
    const isPlain = type === 'unit' || (type === 'conjunction' && style === 'narrow');
    this.#comma = type === 'unit' && style === 'narrow' ? ' ' : ', ';
    this.#last = isPlain ? [this.#comma, this.#comma] : [` ${word}`, `, ${word}`];
  }

  format(items: Iterable<string>): string {
    const all = [...items];
    if (all.length < 2) return all.join('');
    const last = this.#last[all.length > 2 ? 1 : 0];
    return `${all.slice(0, -1).join(this.#comma)}${last}${all.at(-1)}`;
  }

  static supportedLocalesOf(): string[] {
    return ['en-US'];
  }
}

type RelativeOptions = { numeric?: 'always' | 'auto'; style?: 'long' | 'short' | 'narrow' };

const near: Readonly<Record<string, readonly string[]>> = {
  day: ['yesterday', 'today', 'tomorrow'],
  year: ['last year', 'this year', 'next year'],
  month: ['last month', 'this month', 'next month'],
  week: ['last week', 'this week', 'next week'],
};

/** Short and narrow; `!` stands where several have an `s`. */
const shortUnits: Readonly<Record<string, readonly [short: string, narrow: string]>> = {
  second: ['sec.', 's'],
  minute: ['min.', 'm'],
  hour: ['hr.', 'h'],
  day: ['day!', 'd'],
  week: ['wk.', 'w'],
  month: ['mo.', 'mo'],
  quarter: ['qtr!.', 'q'],
  year: ['yr.', 'y'],
};

class RelativeTimeFormat {
  readonly #options: RelativeOptions;

  constructor(_locale?: unknown, options: RelativeOptions = {}) {
    this.#options = options;
  }

  format(value: number, unit: string): string {
    const one = unit.replace(/s$/, '');
    const word = this.#options.numeric === 'auto' ? near[one]?.[value + 1] : undefined;
    if (word !== undefined) return word;
    const count = new NumberFormat().format(Math.abs(value));
    const { style = 'long' } = this.#options;
    const name = count === '1' ? one : `${one}s`;
    const short = style === 'long' ? undefined : shortUnits[one]?.[style === 'narrow' ? 1 : 0];
    const told = short?.replace('!', count === '1' ? '' : 's') ?? name;
    const text = style === 'narrow' && short !== undefined ? count + told : `${count} ${told}`;
    return value < 0 || Object.is(value, -0) ? `${text} ago` : `in ${text}`;
  }

  static supportedLocalesOf(): string[] {
    return ['en-US'];
  }
}

class Locale {
  readonly baseName: string;
  readonly language: string;
  readonly region: string | undefined;

  constructor(tag: string) {
    this.baseName = tag;
    const [language = 'en', region] = tag.split('-');
    this.language = language;
    this.region = region;
  }

  toString(): string {
    return this.baseName;
  }
}

class DisplayNames {
  of(code: string): string {
    return code;
  }
}

/** Everything speaks American English, in UTC. */
export const GuestIntl = {
  Collator: callable(Collator),
  DateTimeFormat: callable(DateTimeFormat),
  DisplayNames,
  ListFormat,
  Locale,
  NumberFormat: callable(NumberFormat),
  PluralRules,
  RelativeTimeFormat,
  Segmenter,
  getCanonicalLocales: (locales: string | string[] = []): string[] => [locales].flat(),
  supportedValuesOf: (): string[] => [],
};
