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

  it('doubles quotes', () => {
    expect(whereClause({ project: "x' OR '1'='1" })).toBe("project = 'x'' OR ''1''=''1'");
  });
});

describe('matchesFilter()', () => {
  it('agrees with the clause: what is not asked does not narrow, what is absent does not match', () => {
    expect(matchesFilter({ project: '/p' }, {})).toBe(true);
    expect(matchesFilter({ project: '/p', session: 's' }, { session: 's' })).toBe(true);
    expect(matchesFilter({ project: '/p' }, { session: 's' })).toBe(false);
    expect(matchesFilter({ project: '/p' }, { project: '/q' })).toBe(false);
  });
});
