import { describe, expect, it } from 'vitest';
import { matchesFilter, whereClause } from './where-clause.ts';

describe('whereClause()', () => {
  it('names only the columns that narrow', () => {
    expect(whereClause({})).toBeUndefined();
    expect(whereClause({ project: '/p' })).toBe("project = '/p'");
    expect(whereClause({ project: '/p', session: 's' })).toBe("project = '/p' AND session = 's'");
  });

  it('takes no column from its argument', () => {
    const filter = { project: '/p', "1=1 OR 'x": 'y' };
    expect(whereClause(filter)).toBe("project = '/p'");
  });

  it('doubles quotes, in every field that takes a text', () => {
    const bad = "x' OR '1'='1";
    const quoted = "'x'' OR ''1''=''1'";
    expect(whereClause({ project: bad })).toBe(`project = ${quoted}`);
    expect(whereClause({ session: bad, source: bad, run: bad })).toBe(
      `session = ${quoted} AND source = ${quoted} AND run = ${quoted}`,
    );
    expect(whereClause({ kinds: [bad, 'note'] })).toBe(`kind IN (${quoted}, 'note')`);
    expect(whereClause({ tags: [bad] })).toBe(`array_has(tags, ${quoted})`);
    expect(whereClause({ ids: [bad] })).toBe(`id IN (${quoted})`);
  });

  it('takes whole milliseconds and nothing else as a time', () => {
    expect(whereClause({ sinceMs: 1.5, beforeMs: 9 })).toBe('ts >= 2 AND ts < 9');
    for (const sinceMs of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      expect(() => whereClause({ sinceMs })).toThrow(/is not a time/);
    }
  });

  it('finds nothing in an empty list', () => {
    expect(whereClause({ kinds: [] })).toBe('false');
    expect(whereClause({ tags: [] })).toBeUndefined();
  });
});

describe('matchesFilter()', () => {
  const row = (other?: object) => ({
    id: 'a1',
    record: {
      layer: 'interact' as const,
      text: 't',
      context: 't',
      kind: 'note',
      tags: ['one', 'two'],
      project: '/p',
      ts: 10,
      ...other,
    },
  });

  it('agrees with the clause: what is not asked does not narrow, what is absent does not match', () => {
    expect(matchesFilter(row(), {})).toBe(true);
    expect(matchesFilter(row({ session: 's' }), { session: 's' })).toBe(true);
    expect(matchesFilter(row(), { session: 's' })).toBe(false);
    expect(matchesFilter(row(), { project: '/q' })).toBe(false);
    expect(matchesFilter(row(), { layer: 'assets' })).toBe(false);
  });

  it('takes one of the kinds and ids, all of the tags, and a time from to before', () => {
    expect(matchesFilter(row(), { kinds: ['note', 'answer'], ids: ['a1'] })).toBe(true);
    expect(matchesFilter(row(), { kinds: [] })).toBe(false);
    expect(matchesFilter(row(), { ids: ['a2'] })).toBe(false);
    expect(matchesFilter(row(), { tags: ['two', 'one'] })).toBe(true);
    expect(matchesFilter(row(), { tags: ['one', 'three'] })).toBe(false);
    expect(matchesFilter(row(), { sinceMs: 10, beforeMs: 11 })).toBe(true);
    expect(matchesFilter(row(), { sinceMs: 11 })).toBe(false);
    expect(matchesFilter(row(), { beforeMs: 10 })).toBe(false);
  });
});
