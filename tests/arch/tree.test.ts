import { describe, expect, it } from 'vitest';
import budget from './budget.json' with { type: 'json' };
import { budgetFaults, importCycles, linesOf, longFunctions, treeSources } from './measure-tree.ts';

const sources = treeSources();

describe('src', () => {
  it('has no import cycle, imports of types included', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(importCycles(sources)).toEqual([]);
  });

  it('keeps each part within its budget (lower it freely; raise it with a reason)', () => {
    expect(budgetFaults(sources, budget)).toEqual([]);
    const planted = { path: 'src/ask/x.ts', text: '\n'.repeat(budget['src/ask']?.lines ?? 0) };
    expect(budgetFaults([...sources, planted], budget)).toEqual([
      expect.stringMatching(/^src\/ask has \d+ lines, limit \d+$/),
    ]);
    expect(budgetFaults([...sources, { ...planted, path: 'src/new/x.ts' }], budget)).toEqual([
      expect.stringContaining('src/new has'),
    ]);
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
