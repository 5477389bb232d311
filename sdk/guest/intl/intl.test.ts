import { describe, expect, it } from 'vitest';
import { guestHost } from '../guest-host.ts';
import { GuestIntl } from './intl.ts';

describe('GuestIntl', () => {
  it.each([
    [1234567.891, {}],
    [0.005, {}],
    [-1234.5, { style: 'currency', currency: 'USD' }],
    [1234.5, { style: 'currency', currency: 'JPY' }],
    [0.256, { style: 'percent' }],
    [0.256, { style: 'percent', maximumFractionDigits: 1 }],
    [1.005, { minimumFractionDigits: 2, maximumFractionDigits: 2 }],
    [1234.5, { useGrouping: false }],
    [1536, { notation: 'compact' }],
    [12_345_678, { notation: 'compact' }],
    [123456, { maximumSignificantDigits: 2 }],
    [5, { minimumIntegerDigits: 2 }],
    [5, { signDisplay: 'always' }],
    [1e21, {}],
    [Number.NaN, {}],
    [Number.POSITIVE_INFINITY, {}],
  ] as const)('formats %d as Node does with %j', (value, options) => {
    const nodes = new Intl.NumberFormat('en-US', options);
    const own = new GuestIntl.NumberFormat('en-US', options as never);
    expect(own.format(value)).toBe(nodes.format(value));
  });

  it('makes what Node makes without new', () => {
    const { NumberFormat, DateTimeFormat, Collator } = GuestIntl;
    expect(NumberFormat('en-US').format(1234)).toBe('1,234');
    expect(DateTimeFormat('en-US', { timeZone: 'UTC' }).format(new Date(0))).toBe('1/1/1970');
    expect(Collator().compare('a', 'b')).toBe(-1);
    expect(new NumberFormat() instanceof NumberFormat).toBe(true);
  });

  const date = new Date(Date.UTC(2024, 0, 5, 15, 4, 9, 7));

  it.each([
    {},
    { dateStyle: 'full' },
    { dateStyle: 'medium', timeStyle: 'short' },
    { dateStyle: 'long', timeStyle: 'medium' },
    { year: 'numeric', month: 'long', day: 'numeric', weekday: 'short' },
    { year: 'numeric', month: '2-digit', day: '2-digit' },
    { month: 'short', year: 'numeric' },
    { hour: 'numeric', minute: '2-digit' },
    { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
  ] as const)('writes a date as Node does with %j', (options) => {
    const nodes = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options });
    const own = new GuestIntl.DateTimeFormat('en-US', options);
    expect(own.format(date)).toBe(nodes.format(date));
  });

  it('knows UTC and offsets, and no other zone once a plugin is set up', () => {
    const options = { timeZone: '+02:00', hour: 'numeric', hourCycle: 'h23' } as const;
    expect(new GuestIntl.DateTimeFormat('en', options).format(date)).toBe('17');
    Object.assign(guestHost, { isSetUp: true });
    expect(() => new GuestIntl.DateTimeFormat('en', { timeZone: 'Europe/Berlin' })).toThrow(
      'Invalid time zone specified: Europe/Berlin',
    );
  });

  it('orders, counts and lists as Node does', () => {
    const words = ['zeta', 'Äpfel', 'apfel', 'Apfel', 'a10', 'a9'];
    for (const options of [{}, { numeric: true }] as const) {
      expect(words.toSorted(new GuestIntl.Collator('en', options).compare)).toEqual(
        words.toSorted(new Intl.Collator('en', options).compare),
      );
    }
    const ordinal = { type: 'ordinal' } as const;
    for (const count of [1, 2, 3, 4, 11, 12, 13, 21, 102]) {
      expect(new GuestIntl.PluralRules('en', ordinal).select(count)).toBe(
        new Intl.PluralRules('en', ordinal).select(count),
      );
    }
    expect(new GuestIntl.ListFormat('en').format(['a', 'b', 'c'])).toBe('a, b, and c');
    expect(new GuestIntl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')).toBe(
      'yesterday',
    );
  });

  it.each(['short', 'long', 'narrow'] as const)('writes units as Node does: %s', (unitDisplay) => {
    const compound = ['kilometer-per-hour', 'mile-per-hour', 'mile-per-gallon', 'meter-per-second'];
    const more = [
      'liter-per-kilometer',
      'megabyte-per-second',
      'gigabyte-per-day',
      'bit-per-minute',
    ];
    for (const unit of [...Intl.supportedValuesOf('unit'), ...compound, ...more]) {
      const options = { style: 'unit', unit, unitDisplay } as const;
      for (const value of [0, 1, 1.5, 5, 12345]) {
        const own = new GuestIntl.NumberFormat('en-US', options as never).formatToParts(value);
        expect(own).toEqual(new Intl.NumberFormat('en-US', options).formatToParts(value));
      }
    }
    expect(() => new GuestIntl.NumberFormat('en-US', { style: 'unit', unit: 'parsec' })).toThrow(
      RangeError,
    );
  });

  it.each(['short', 'long', 'narrow'] as const)('lists and tells times as Node: %s', (style) => {
    for (const type of ['conjunction', 'disjunction', 'unit'] as const) {
      for (const items of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']]) {
        expect(new GuestIntl.ListFormat('en-US', { type, style }).format(items)).toBe(
          new Intl.ListFormat('en-US', { type, style }).format(items),
        );
      }
    }
    const units = [
      'second',
      'minutes',
      'hour',
      'day',
      'weeks',
      'month',
      'quarter',
      'year',
    ] as const;
    for (const unit of units) {
      for (const value of [-1, 1, 3, 0, -2000]) {
        expect(new GuestIntl.RelativeTimeFormat('en-US', { style }).format(value, unit)).toBe(
          new Intl.RelativeTimeFormat('en-US', { style }).format(value, unit),
        );
      }
    }
  });

  it('cuts text into what people take for a character', () => {
    const text = 'e\u0301a👩‍👩‍👧🇩🇪👍🏽\r\n한';
    const own = [...new GuestIntl.Segmenter('en').segment(text)].map(({ segment }) => segment);
    expect(own).toEqual([...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment));
  });
});
