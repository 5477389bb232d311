import { describe, expect, it } from 'vitest';
import { drawTree, fitTree } from './draw-tree.ts';

const file = (path: string) => ({ path, isDirectory: false });

describe('drawTree()', () => {
  const entries = [
    { path: 'empty', isDirectory: true },
    file('a.md'),
    file('src/b.ts'),
    file('src/deep/c.ts'),
  ];

  it('shows folders first, with the number of files below them', () => {
    expect(drawTree(entries, 3).text).toBe(
      ['empty/ (0 files)', 'src/ (2 files)', '  deep/ (1 file)', '    c.ts', '  b.ts', 'a.md'].join(
        '\n',
      ),
    );
  });

  it('ends at the depth and counts what is below', () => {
    expect(drawTree(entries, 1)).toMatchObject({
      text: 'empty/ (0 files)\nsrc/ (2 files)\na.md',
      files: 3,
    });
  });

  it('says what it left out', () => {
    const many = Array.from({ length: 500 }, (_, at) => file(`d${at}/x.ts`));
    expect(drawTree(many, 2).truncated).toContain('600 more lines');
    const flat = Array.from({ length: 50 }, (_, at) => file(`f${at}.ts`));
    expect(drawTree(flat, 1).text).toContain('… 10 more files');
  });
});

describe('fitTree()', () => {
  const entries = ['a', 'b', 'c'].flatMap((name) => [file(`${name}/x.ts`), file(`${name}/y.ts`)]);

  it('shows as many levels as fit', () => {
    expect(fitTree(entries, 3, 20).text.split('\n')).toHaveLength(9);
    expect(fitTree(entries, 3, 4).text).toBe('a/ (2 files)\nb/ (2 files)\nc/ (2 files)');
  });

  it('puts names beside each other where one level is too long', () => {
    expect(fitTree(entries, 3, 2).text).toBe('a/ (2 files), b/ (2 files), c/ (2 files)');
  });
});
