import { describe, expect, it } from 'vitest';
import { type Edge, edges, leaves, mostEdges } from './edges.ts';
import { readImports } from './read-imports.ts';
import { type Rule, rules } from './rules.ts';
import { repositoryFiles, type SourceFile, sourceFile } from './source-files.ts';

const sources = repositoryFiles()
  .filter((path) => /^(?:src|sdk|plugins|scheduler|examples)\/.*\.(?:ts|cjs|mjs)$/.test(path))
  .map((path) => sourceFile(path));

const violationsOf = (rule: Rule, files: readonly SourceFile[]): string[] =>
  files.filter((file) => rule.covers(file.path)).flatMap((file) => rule.violations(file));

/** Folders of the design that hold nothing yet: their rules wait for the first file. */
const waiting = ['examples/'];

describe('imports', () => {
  it('are read from the sources of every folder', () => {
    for (const folder of ['src/cli/', 'src/kernel/', 'src/host/process/', 'sdk/', 'plugins/']) {
      const files = sources.filter(({ path }) => path.startsWith(folder));
      expect(files.length, folder).toBeGreaterThan(2);
      expect(files.flatMap(readImports).length, folder).toBeGreaterThan(5);
    }
  });

  describe.each(rules)('$name', (rule) => {
    it('holds', () => {
      const covered = sources.filter((file) => rule.covers(file.path));
      const mayBeEmpty = waiting.some((folder) => rule.planted.path.startsWith(folder));
      if (!mayBeEmpty) expect(covered.length).toBeGreaterThan(0);
      expect(violationsOf(rule, sources)).toEqual([]);
    });

    it('is broken by a planted file', () => {
      expect(violationsOf(rule, [rule.planted])).toHaveLength(1);
      const others = rules.filter((other) => other !== rule);
      const broken = others.filter((other) => violationsOf(other, [rule.planted]).length > 0);
      expect(broken.map((other) => other.name)).toEqual([]);
    });
  });
});

/** What stands wrong in a table of edges. */
function faultsOf(table: readonly Edge[]): string[] {
  const faults: string[] = [];
  if (table.length > mostEdges) faults.push(`${table.length} edges, limit ${mostEdges}`);
  const reach = (part: string, seen: readonly string[]): void => {
    if (seen.includes(part)) faults.push(`cycle: ${[...seen, part].join(' -> ')}`);
    else for (const { to } of table.filter(({ from }) => from === part)) reach(to, [...seen, part]);
  };
  for (const { from, to, why } of table) {
    if (leaves.includes(from)) faults.push(`${from} imports ${to}`);
    if (why.trim() === '') faults.push(`${from} -> ${to} has no reason`);
  }
  for (const part of new Set(table.map(({ from }) => from))) reach(part, []);
  return faults;
}

describe('the table of edges', () => {
  const first = edges[0] as Edge;

  it('is small, gives reasons, has no cycle, and none out of a leaf', () => {
    expect(faultsOf(edges)).toEqual([]);
  });

  it.each([
    ['a cycle', [...edges, { from: first.to, to: first.from, why: 'planted' }]],
    ['an edge out of a leaf', [...edges, { from: 'guard', to: 'paths', why: 'planted' }]],
    ['an edge without a reason', [...edges, { from: 'cli', to: 'paths', why: ' ' }]],
    [
      'too many',
      Array.from({ length: mostEdges + 1 }, (_, at) => ({ ...first, from: `part${at}` })),
    ],
  ])('is refused with %s', (_, planted) => {
    expect(faultsOf(planted)).not.toEqual([]);
  });

  it('names no edge that nothing uses', () => {
    const unused = edges.filter(
      ({ from, to }) =>
        !sources.some(
          (file) =>
            file.path.startsWith(`src/${from}/`) &&
            readImports(file).some((found) => found.to.startsWith(`src/${to}/`)),
        ),
    );
    expect(unused).toEqual([]);
  });
});

describe('readImports()', () => {
  const read = (text: string) => readImports({ path: 'src/a/b.ts', text });

  it.each([
    ["import { x } from '../c.ts';", 'src/c.ts'],
    ["import {\n  x,\n  type Y,\n} from './c.ts';", 'src/a/c.ts'],
    ["import './c.ts';", 'src/a/c.ts'],
    ["export * from './c.ts';", 'src/a/c.ts'],
    ["export type { X } from './c.ts';", 'src/a/c.ts'],
    ["const c = await import('./c.ts');", 'src/a/c.ts'],
    ["const c = require('./c.js');", 'src/a/c.js'],
    ['import fs from "node:fs";', 'node:fs'],
  ])('reads %j', (text, to) => {
    expect(read(`const a = 1;\n${text}\n`).map((found) => found.to)).toEqual([to]);
  });

  it.each(["// import './c.ts';", "/* import './c.ts'; */", "const text = 'import c';"])(
    'leaves %j out',
    (text) => expect(read(text)).toEqual([]),
  );

  it('tells an import of types alone from one that runs', () => {
    const found = read("import type { A } from 'a';\nimport { type B } from 'b';\n");
    expect(found.map(({ typeOnly }) => typeOnly)).toEqual([true, false]);
  });
});
