import { describe, expect, it } from 'vitest';
import { openTempTree, wholeWalk } from '../../tests/support/temp-tree.ts';
import { expandBraces } from './glob-filter.ts';

const names = [
  ...['[id].ts', 'i.ts', 'b{1,2}.ts', 'b1.ts', 's*.ts', 'sun.ts', 'q?.ts', 'c].ts', '#a.ts'],
  ...['!a.ts', 'a[1]/x.ts', 'a1/x.ts', 'p{x,y}/[id].ts', 'deep/(g)/[slug].ts', 'deep/s.ts'],
];

describe('globs of names with signs of globs in them', () => {
  it.each([
    ['[id].ts', ['[id].ts', 'p{x,y}/[id].ts']],
    ['b{1,2}.ts', ['b{1,2}.ts']],
    ['./b{1,2}.ts', ['b{1,2}.ts']],
    ['s*.ts', ['s*.ts']],
    ['q?.ts', ['q?.ts']],
    ['c].ts', ['c].ts']],
    ['#a.ts', ['#a.ts']],
    ['!a.ts', ['!a.ts']],
    ['a[1]', ['a[1]/x.ts']],
    ['a[1]/*.ts', ['a[1]/x.ts']],
    ['a[1]/**', ['a[1]/x.ts']],
    ['p{x,y}/[id].ts', ['p{x,y}/[id].ts']],
    ['[slug].ts', ['deep/(g)/[slug].ts', 'deep/s.ts']],
    ['deep/**/[slug].ts', ['deep/(g)/[slug].ts', 'deep/s.ts']],
    ['b{1,3}.ts', ['b1.ts']],
    ['su*.ts', ['sun.ts']],
  ])('%j finds %j', (glob, found) => {
    using tree = openTempTree(Object.fromEntries(names.map((name) => [name, 'needle'])));
    const walked = tree.fs.walk('work:', { ...wholeWalk, include: [glob] });
    expect(walked.map(({ path }) => path.replace('work:', ''))).toEqual(found);
  });
});

describe('expandBraces()', () => {
  it.each([
    ['*.ts', ['*.ts']],
    ['*.{ts,tsx}', ['*.ts', '*.tsx']],
    ['{a,b}/{c,d}', ['a/c', 'a/d', 'b/c', 'b/d']],
    ['x{a,{b,c}d,}y', ['xay', 'xbdy', 'xcdy', 'xy']],
    ['{a}', ['{a}']],
    ['{{a,b}}', ['{a}', '{b}']],
    ['\\{a,b}', ['\\{a,b}']],
    ['{a\\,b,c}', ['a\\,b', 'c']],
    ['{a,b', ['{a,b']],
    ['a,b}', ['a,b}']],
    ['', ['']],
  ])('expands %j', (glob, expected) => expect(expandBraces(glob, 100)).toEqual(expected));

  it('gives up above the limit, whatever the text asks for', () => {
    expect(expandBraces('{a,b}'.repeat(100), 256)).toBeUndefined();
    expect(expandBraces('{a,b}'.repeat(8), 256)).toHaveLength(256);
  });
});
