import { describe, expect, it } from 'vitest';
import { expandGlob, type ListBelow } from './expand-glob.ts';

const files = [
  'a.ts',
  'b.ts',
  'b.js',
  '.hidden.ts',
  '-rf',
  '[x]',
  'src',
  'src/c.ts',
  'src/d',
  'src/d/e.ts',
];
const folders = new Set(['src', 'src/d']);

const list: ListBelow = (folder, depth, hidden) => {
  const start = folder === '' ? '' : `${folder}/`;
  return files
    .filter((path) => path.startsWith(start) && path !== folder)
    .map((path) => ({ path: path.slice(start.length), isFolder: folders.has(path) }))
    .filter(({ path }) => path.split('/').length <= depth && (hidden || !path.startsWith('.')));
};

describe('expandGlob()', () => {
  it.each([
    ['*.ts', ['a.ts', 'b.ts']],
    ['?.js', ['b.js']],
    ['[ab].ts', ['a.ts', 'b.ts']],
    ['[!a].ts', ['b.ts']],
    ['src/*.ts', ['src/c.ts']],
    ['*/*.ts', ['src/c.ts']],
    ['*/*/*.ts', ['src/d/e.ts']],
    ['./*.js', ['./b.js']],
    ['s*/', ['src/']],
    ['\\[*', ['[x]']],
    ['.*', ['.hidden.ts']],
    ['*.py', []],
    ['/*', []],
    ['../*', []],
  ])('takes %j for what a shell takes it for', (glob, expected) => {
    expect(expandGlob(glob, list)).toEqual(expected);
  });

  it('ends soon with many `*` and a name that does not match', () => {
    const name = 'a'.repeat(250);
    const one: ListBelow = () => [{ path: name, isFolder: false }];
    expect(expandGlob(`${'*a'.repeat(60)}b`, one)).toEqual([]);
    expect(expandGlob(`${'*a'.repeat(60)}*`, one)).toEqual([name]);
  });

  it('keeps a file from being an option', () => {
    expect(expandGlob('*rf', list)).toEqual(['./-rf']);
  });
});
