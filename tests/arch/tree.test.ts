import { describe, expect, it } from 'vitest';
import {
  filesByFolder,
  importCycles,
  linesOf,
  longFunctions,
  treeSources,
} from './measure-tree.ts';

const sources = treeSources();

describe('src', () => {
  it('has no import cycle, imports of types included', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(importCycles(sources)).toEqual([]);
  });

  it('has no folder with more than 40 files, cli excepted', () => {
    const crowded = [...filesByFolder(sources)]
      .filter(([folder, files]) => folder !== 'src/cli' && files.length > 40)
      .map(([folder, files]) => `${folder} ${files.length}`);
    expect(crowded).toEqual([]);
  });

  it('has no function above 150 lines', () => {
    expect(longFunctions(sources, 150)).toEqual([]);
    // The measure itself reads functions of these sources.
    expect(longFunctions(sources, 100).length).toBeGreaterThan(5);
  });

  it('is composed in at most 200 lines', () => {
    const root = sources.filter(({ path }) => path === 'src/kernel.ts');
    expect(root.map(linesOf).map((lines) => lines <= 200)).toEqual([true]);
  });
});

describe('importCycles()', () => {
  it('finds a cycle of types, and of three files', () => {
    const planted = [
      { path: 'src/a.ts', text: "import type { B } from './b.ts';\n" },
      { path: 'src/b.ts', text: "import { a } from './a.ts';\nimport './c.ts';\n" },
      { path: 'src/c.ts', text: "import './d.ts';\n" },
      { path: 'src/d.ts', text: "import './e.ts';\n" },
      { path: 'src/e.ts', text: "import './c.ts';\n" },
    ];
    expect(importCycles(planted)).toEqual([
      ['src/c.ts', 'src/d.ts', 'src/e.ts'],
      ['src/a.ts', 'src/b.ts'],
    ]);
  });
});
