import { describe, expect, it } from 'vitest';
import { entriesBelow } from './entries-below.ts';

describe('entriesBelow()', () => {
  it.each([
    [':add *.kdbx', 'lib', [':add *.kdbx']],
    [':add lib/keys.txt', 'lib', [':add /keys.txt']],
    [':add /Lib/own/a.txt', 'lib', [':add /own/a.txt']],
    [':add lib/*/a.txt', 'lib/x', [':add /a.txt']],
    [':add **/own/a.txt', 'lib', [':add /**/own/a.txt']],
    [':add **/own/a.txt', 'lib/own', [':add /a.txt', ':add /**/own/a.txt']],
    [':add other/keys.txt', 'lib', []],
    [':add lib', 'lib', [':add lib']],
    [':lift lib/.env', 'lib', [':lift /.env']],
    ['lib/home', 'lib', ['home']],
    ['home', 'lib', []],
  ])('reads %s from %s as %j', (entry, top, expected) => {
    expect(entriesBelow([entry], top.split('/')).sort()).toEqual([...expected].sort());
  });

  it('leaves entries as they are at the top', () => {
    expect(entriesBelow([':add lib/keys.txt', 'home'], [])).toEqual([':add lib/keys.txt', 'home']);
  });
});
