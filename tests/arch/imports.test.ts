import { describe, expect, it } from 'vitest';
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
