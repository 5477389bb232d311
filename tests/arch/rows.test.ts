import { describe, expect, it } from 'vitest';
import { faultOf, readRows } from '../rows.ts';

describe('tests/rows.json', () => {
  it('names tests and decisions that are there, each row once', () => {
    const rows = readRows();
    expect(rows.flatMap((row) => faultOf(row) ?? [])).toEqual([]);
    expect(new Set(rows.map(({ row }) => row)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(70);
  });

  it('is found wrong where a test, a file or a decision is not there', () => {
    const what = 'x';
    const file = 'tests/arch/rows.test.ts';
    const row = 'X-01';
    expect(
      faultOf({ row, what, file, test: 'names tests and decisions that are there, each row once' }),
    ).toBe(undefined);
    expect(faultOf({ row, what, file, test: 'no such' })).toContain('has no test');
    expect(faultOf({ row, what, file: 'tests/no.ts', test: 'x' })).toContain('is not there');
    expect(faultOf({ row, what, decision: 9999, why: 'x' })).toContain('decision 9999');
    expect(faultOf({ row, what, open: '' })).toContain('does not say');
  });
});
