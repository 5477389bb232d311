import { describe, expect, it } from 'vitest';
import { showChange } from './show-change.ts';

describe('showChange()', () => {
  it('is one hunk with two lines around it', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\n';
    expect(showChange(before, before.replace('d\n', 'x\ny\n'))).toEqual({
      added: 2,
      removed: 1,
      diff: '@@ -2,5 +2,6 @@\n b\n c\n-d\n+x\n+y\n e\n f',
    });
  });

  it('shows a new file and a removed line', () => {
    expect(showChange('', 'a\n').diff).toBe('@@ -1,0 +1,1 @@\n+a');
    expect(showChange('a\nb\n', 'a\n')).toMatchObject({ added: 0, removed: 1 });
  });

  it('says how much of a long one is not shown', () => {
    const text = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('');
    const { diff, added } = showChange('', text);
    expect(added).toBe(100);
    expect(diff).toContain('… 60 lines are not shown …');
    expect(diff.split('\n')).toHaveLength(42);
  });
});
