import { describe, expect, it } from 'vitest';
import { planLevels } from './plan-levels.ts';

const levelsOf = (...nodes: [string, string[]][]): string[][] =>
  planLevels(nodes.map(([id, needs]) => ({ id, needs }))).map((column) =>
    column.map(({ id }) => id),
  );

describe('planLevels()', () => {
  it('puts a node behind the last of those that it waits for', () => {
    expect(levelsOf(['a', []], ['b', ['a']], ['c', ['a', 'b']], ['d', []])).toEqual([
      ['a', 'd'],
      ['b'],
      ['c'],
    ]);
  });

  it('takes needs that are not there, or make a cycle, for none', () => {
    expect(levelsOf(['a', ['gone']])).toEqual([['a']]);
    const cycle = levelsOf(['a', ['b']], ['b', ['a']]);
    expect(cycle.flat().toSorted()).toEqual(['a', 'b']);
    expect(levelsOf()).toEqual([]);
  });
});
