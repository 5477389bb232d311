import { describe, expect, it } from 'vitest';
import { expandBraces } from './expand-braces.ts';

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
