import { describe, expect, it } from 'vitest';
import { partsOf, sizeSummary } from './folder-parts.ts';

describe('partsOf()', () => {
  const files = [
    { path: 'src/a.ts', size: 10 },
    { path: 'src/deep/b.ts', size: 200 },
    { path: 'README.md', size: 30 },
  ];

  it('puts files together by what lies directly in the folder, the largest first', () => {
    expect(partsOf(files, '')).toEqual([
      { path: 'src', kind: 'directory', size: 210, files: 2 },
      { path: 'README.md', kind: 'file', size: 30 },
    ]);
    expect(partsOf(files.slice(0, 2), 'src/')).toEqual([
      { path: 'src/deep', kind: 'directory', size: 200, files: 1 },
      { path: 'src/a.ts', kind: 'file', size: 10 },
    ]);
  });
});

describe('sizeSummary()', () => {
  it('leaves out what is not known', () => {
    expect(sizeSummary('.', { files: 1, size: 2 })).toBe(
      '1 file, 2 bytes (without hidden and ignored files)',
    );
    expect(sizeSummary('a.png', { size: 1 })).toBe('a.png: 1 byte');
    expect(sizeSummary('src', { files: 2, size: 210, lines: 9 })).toBe(
      'src: 2 files, 210 bytes, 9 lines (without hidden and ignored files)',
    );
  });
});
