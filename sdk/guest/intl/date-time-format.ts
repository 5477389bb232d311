import { guestHost } from '../guest-host.ts';
import type { Part } from './number-format.ts';

type Width = 'numeric' | '2-digit';
type Name = 'long' | 'short' | 'narrow';
type Style = 'full' | 'long' | 'medium' | 'short';

export type DateOptions = {
  weekday?: Name;
  era?: Name;
  year?: Width;
  month?: Width | Name;
  day?: Width;
  hour?: Width;
  minute?: Width;
  second?: Width;
  fractionalSecondDigits?: number;
  timeZoneName?: string;
  timeZone?: string;
  hour12?: boolean;
  hourCycle?: string;
  dateStyle?: Style;
  timeStyle?: Style;
  calendar?: string;
  numberingSystem?: string;
};

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const dateStyles: Readonly<Record<Style, DateOptions>> = {
  full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  medium: { year: 'numeric', month: 'short', day: 'numeric' },
  short: { year: '2-digit', month: 'numeric', day: 'numeric' },
};
const timeStyles: Readonly<Record<Style, DateOptions>> = {
  full: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'long' },
  long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
  short: { hour: 'numeric', minute: '2-digit' },
};
const justDate: DateOptions = { year: 'numeric', month: 'numeric', day: 'numeric' };

/** Zones of a fixed distance; a component has no table of others. */
function offsetOf(zone: string): number {
  if (/^(?:Etc\/)?(?:UTC|GMT|Zulu|UCT|Universal|Greenwich)$/i.test(zone)) return 0;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const [, west, count] = /^Etc\/GMT([+-])(\d{1,2})$/.exec(zone) ?? [];
  if (west !== undefined) return (west === '+' ? -1 : 1) * Number(count) * 60;
  // Packages try out what is there while they are set up.
  if (guestHost.isSetUp !== true) return 0;
  throw new RangeError(
    `Invalid time zone specified: ${zone} (a plugin knows UTC and offsets alone)`,
  );
}

/** `Intl.DateTimeFormat` of American English in UTC or a fixed offset, whatever the locale. */
export class DateTimeFormat {
  readonly #options: DateOptions;
  readonly #zone: string;
  readonly #offsetMinutes: number;
  readonly format: (date?: Date | number) => string;

  constructor(_locale?: unknown, options: DateOptions = {}, otherwise: DateOptions = justDate) {
    const { dateStyle, timeStyle, timeZone = 'UTC' } = options;
    this.#zone = timeZone;
    this.#offsetMinutes = offsetOf(timeZone);
    const styles = {
      ...(dateStyle === undefined ? {} : dateStyles[dateStyle]),
      ...(timeStyle === undefined ? {} : timeStyles[timeStyle]),
    };
    const names = [
      'weekday',
      'year',
      'month',
      'day',
      'hour',
      'minute',
      'second',
      'fractionalSecondDigits',
    ];
    const isNamed = names.some((name) => (options as Record<string, unknown>)[name] !== undefined);
    const isStyled = dateStyle !== undefined || timeStyle !== undefined;
    this.#options = { ...(isNamed || isStyled ? {} : otherwise), ...styles, ...options };
    this.format = (date) =>
      this.formatToParts(date)
        .map(({ value }) => value)
        .join('');
  }

  formatToParts(given: Date | number = Date.now()): Part[] {
    const ms = Number(given);
    if (!Number.isFinite(ms) || Number.isNaN(new Date(ms).getTime())) {
      throw new RangeError('Invalid time value');
    }
    const date = new Date(ms + this.#offsetMinutes * 60_000);
    const day = this.#date(date);
    const time = this.#time(date);
    const isLong = this.#options.dateStyle === 'full' || this.#options.dateStyle === 'long';
    const between = isLong ? ' at ' : ', ';
    return day.length > 0 && time.length > 0
      ? [...day, { type: 'literal', value: between }, ...time]
      : [...day, ...time];
  }

  formatRange(from: Date | number, to: Date | number): string {
    return `${this.format(from)} – ${this.format(to)}`;
  }

  resolvedOptions(): object {
    const { hour, hour12, hourCycle } = this.#options;
    const cycle = hourCycle ?? (hour12 === false ? 'h23' : 'h12');
    return {
      ...this.#options,
      locale: 'en-US',
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone: this.#zone,
      ...(hour === undefined
        ? {}
        : { hourCycle: cycle, hour12: cycle === 'h12' || cycle === 'h11' }),
    };
  }

  static supportedLocalesOf(): string[] {
    return ['en-US'];
  }

  #date(date: Date): Part[] {
    const { weekday, year, month, day, era } = this.#options;
    const literal = (value: string): Part => ({ type: 'literal', value });
    const named: Part[] = [];
    const dayName = weekdays[date.getUTCDay()] ?? '';
    if (weekday !== undefined) named.push({ type: 'weekday', value: cutName(dayName, weekday) });
    const yearText = String(
      year === '2-digit' ? date.getUTCFullYear() % 100 : date.getUTCFullYear(),
    );
    const parts: Part[] = [];
    const add = (part: Part, before: string): void => {
      if (parts.length > 0) parts.push(literal(before));
      parts.push(part);
    };
    const isWord = month === 'long' || month === 'short' || month === 'narrow';
    if (month !== undefined) {
      const name = months[date.getUTCMonth()] ?? '';
      const value = isWord ? cutName(name, month) : digits(date.getUTCMonth() + 1, month);
      parts.push({ type: 'month', value });
    }
    if (day !== undefined) {
      add({ type: 'day', value: digits(date.getUTCDate(), day) }, isWord ? ' ' : '/');
    }
    if (year !== undefined) {
      const before = isWord ? (day === undefined ? ' ' : ', ') : '/';
      add(
        { type: 'year', value: year === '2-digit' ? yearText.padStart(2, '0') : yearText },
        before,
      );
    }
    if (era !== undefined)
      add({ type: 'era', value: date.getUTCFullYear() > 0 ? 'AD' : 'BC' }, ' ');
    if (named.length > 0 && parts.length > 0) named.push(literal(', '));
    return [...named, ...parts];
  }

  #time(date: Date): Part[] {
    const { hour, minute, second, fractionalSecondDigits, timeZoneName, hour12, hourCycle } =
      this.#options;
    const isTwelve =
      hour12 ?? (hourCycle === undefined ? true : hourCycle === 'h12' || hourCycle === 'h11');
    const parts: Part[] = [];
    const add = (type: string, value: string, before: string): void => {
      if (parts.length > 0) parts.push({ type: 'literal', value: before });
      parts.push({ type, value });
    };
    const others = [hour, minute, second].filter((each) => each !== undefined).length;
    if (hour !== undefined) {
      const own = date.getUTCHours();
      const shown = isTwelve ? own % 12 || 12 : own;
      const width =
        hour === '2-digit' || (!isTwelve && hour12 !== undefined) || !isTwelve ? '2-digit' : hour;
      add('hour', digits(shown, width), '');
    }
    const width = (own: Width): Width => (others > 1 ? '2-digit' : own);
    if (minute !== undefined) add('minute', digits(date.getUTCMinutes(), width(minute)), ':');
    if (second !== undefined) add('second', digits(date.getUTCSeconds(), width(second)), ':');
    if (fractionalSecondDigits !== undefined) {
      const ms = String(date.getUTCMilliseconds())
        .padStart(3, '0')
        .slice(0, fractionalSecondDigits);
      add('fractionalSecond', ms, '.');
    }
    if (hour !== undefined && isTwelve) {
      add('dayPeriod', date.getUTCHours() < 12 ? 'AM' : 'PM', ' ');
    }
    if (timeZoneName !== undefined) add('timeZoneName', this.#zoneName(timeZoneName), ' ');
    return parts;
  }

  #zoneName(width: string): string {
    const minutes = this.#offsetMinutes;
    if (minutes === 0 && /Offset$/.test(width)) return 'GMT';
    if (minutes === 0) return width.startsWith('long') ? 'Coordinated Universal Time' : 'UTC';
    const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    const isLong = width.startsWith('long');
    const end = rest > 0 || isLong ? `:${String(rest).padStart(2, '0')}` : '';
    return `GMT${minutes < 0 ? '-' : '+'}${isLong ? String(hours).padStart(2, '0') : hours}${end}`;
  }
}

const digits = (value: number, width: string): string =>
  width === '2-digit' ? String(value % 100).padStart(2, '0') : String(value);

const cutName = (name: string, width: Name): string =>
  width === 'long' ? name : name.slice(0, width === 'short' ? 3 : 1);
