import { describe, expect, it } from 'vitest';
import { filterOf, parseLimit, parseMoment } from './memory-options.ts';

const nowMs = Date.UTC(2026, 10, 21);
const context = { project: '/p', nowMs };

describe('parseMoment()', () => {
  it.each([
    ['30m', nowMs - 30 * 60_000],
    ['12h', nowMs - 12 * 3_600_000],
    ['7d', nowMs - 7 * 86_400_000],
    ['2w', nowMs - 14 * 86_400_000],
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11-20T12:00:00Z', Date.UTC(2026, 10, 20, 12)],
  ])('reads %s', (text, expected) => {
    expect(parseMoment('--since', text, nowMs)).toBe(expected);
  });

  it.each(['', '7', 'd', '-7d', '7y', 'tomorrow', '2026-99-99', "1' OR '1'='1"])(
    'refuses %j',
    (text) => {
      expect(() => parseMoment('--since', text, nowMs)).toThrow(/neither an age nor a date/);
    },
  );
});

describe('filterOf()', () => {
  it('narrows to the workspace unless all are asked for', () => {
    expect(filterOf({}, context)).toEqual({ projects: ['/p', ''] });
    expect(filterOf({ all: true }, context)).toEqual({});
  });

  it('takes each flag over', () => {
    const flags = { layer: 'assets', kind: ['a'], tag: ['b', 'c'], session: 's', since: '1h' };
    expect(filterOf(flags, context)).toEqual({
      projects: ['/p', ''],
      layer: 'assets',
      kinds: ['a'],
      tags: ['b', 'c'],
      session: 's',
      sinceMs: nowMs - 3_600_000,
    });
    expect(() => filterOf({ layer: 'l9' }, context)).toThrow('there is no memory layer "l9"');
  });
});

describe('parseLimit()', () => {
  it('takes whole numbers from 1 to the most', () => {
    expect(parseLimit('32', 32)).toBe(32);
    for (const text of ['0', '33', '1.5', 'x', '']) {
      expect(() => parseLimit(text, 32)).toThrow(/not a number from 1 to 32/);
    }
  });
});
