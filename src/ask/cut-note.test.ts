import { describe, expect, it } from 'vitest';
import { cutNote } from './cut-note.ts';

const stats = { entries: [{ path: 'a.ts' }, { path: 'b.ts' }] };

describe('cutNote()', () => {
  it('says how many entries a cut list left out', () => {
    expect(cutNote({ paths: ['a.ts', 'b.ts'], total: 218 }, [])).toBe('the first 2 of 218');
  });

  it('also finds the cut in the list that it was made from', () => {
    const found = { paths: ['a.ts', 'b.ts'], total: 218, truncated: '216 more' };
    expect(cutNote(stats, [found])).toBe('the first 2 of 218');
    const others = { paths: ['c.ts', 'd.ts'], total: 218, truncated: '216 more' };
    expect(cutNote(stats, [others])).toBeUndefined();
  });

  it('says that there are more where nothing says how many', () => {
    expect(cutNote({ paths: ['a.ts'], truncated: true }, [])).toBe('cut: there are more');
    expect(cutNote({ references: ['a.ts'], cut: 'there are more' }, [])).toBe(
      'cut: there are more',
    );
  });

  it.each([
    [{ paths: ['a.ts'], total: 1, truncated: false }],
    [stats],
    ['text'],
    [{ tree: 'a', total: 7 }],
  ])('says nothing of %j', (content) => {
    expect(cutNote(content, [{ paths: ['a.ts', 'b.ts'], total: 2 }])).toBeUndefined();
  });
});
