import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../tests/support/cpu-ms.ts';
import { findReferences } from './find-references.ts';
import { treeHost } from './tree-host.ts';

/** Code in a text between backquotes is code. */
const call = '  return call(`$' + '{retry.limit} retry`);';

/** `retry` is used seven times; everything else that looks like it is none. */
const files = {
  'src/retry.ts': [
    'export function retry(call: Call) {', // definition
    '  // retry of a comment',
    "  const text = 'retry';",
    call, // 1
    '}',
    'const retryLimit = 5;',
  ].join('\n'),
  'src/use.ts': [
    'import {',
    '  other,',
    '  retry,', // 2
    "} from './retry.ts';",
    "export { retry } from './retry.ts';", // 3
    'const all = [retry, retry(other)];', // 4, 5
    'noRetry.retrying();',
  ].join('\n'),
  'src/use.py': 'from retry import retry\nx = retry(1)  # retry\n', // module and name: 6, 7 and a use
  'notes.txt': 'retry\n',
};

describe('findReferences()', () => {
  const find = (definitions: boolean, limit = 100) =>
    findReferences(treeHost(files), { name: 'retry', place: 'work:', limit, definitions });

  it('gives each use in code, and none in comments and texts', () => {
    const found = find(false);
    expect(
      found.references.map(({ path, line, column, role }) => [path.slice(5), line, column, role]),
    ).toEqual([
      ['src/retry.ts', 4, 18, 'use'],
      ['src/use.ts', 3, 3, 'import'],
      ['src/use.ts', 5, 10, 'import'],
      ['src/use.ts', 6, 14, 'use'],
      ['src/use.ts', 6, 21, 'use'],
      ['src/use.py', 1, 6, 'import'],
      ['src/use.py', 1, 19, 'import'],
      ['src/use.py', 2, 5, 'use'],
    ]);
    expect(found.references[0]?.text).toBe(call);
  });

  it('gives the definition, too, when it is asked for', () => {
    expect(find(true).references[0]).toMatchObject({ line: 1, role: 'definition' });
    expect(find(true).total).toBe(find(false).total + 1);
  });

  it('says how many it left out', () => {
    expect(find(false, 2)).toMatchObject({
      total: 8,
      cut: 'left out: 6 more references; give a narrower path',
    });
  });

  it('gives the part around a name from a line of generated code, and does so fast', () => {
    const host = treeHost({ 'a.min.js': `${'a(b);'.repeat(20_000)}\nretry();\n` });
    const wish = { place: 'work:', limit: 20_000, definitions: false };
    let found: ReturnType<typeof findReferences> | undefined;
    const took = cpuMs(() => {
      found = findReferences(host, { ...wish, name: 'b' });
    });
    expect(took).toBeLessThan(3000);
    const { references = [], total } = found ?? {};
    expect(total).toBe(20_000);
    expect(references[0]?.text).toMatch(/^a\(b\).{0,1000}…$/);
    expect(references[9999]?.text).toMatch(/^….{1000}…$/);
  });

  it('gives those in sources first, so that a limit leaves out what was generated', () => {
    const use = 'run();\n';
    const host = treeHost({ 'dist/a.js': use, 'src/b.js': use, 'tests/c.js': use });
    const wish = { name: 'run', place: 'work:', definitions: false };
    const pathsOf = (limit: number) =>
      findReferences(host, { ...wish, limit }).references.map(({ path }) => path.slice(5));
    expect(pathsOf(1)).toEqual(['src/b.js']);
    expect(pathsOf(9)).toEqual(['src/b.js', 'dist/a.js', 'tests/c.js']);
  });

  it('takes the last part of a name with its class, and refuses anything else', () => {
    const host = treeHost({ 'a.ts': 'store.open();\nx.reopen();\n' });
    const wish = { place: 'work:', limit: 5, definitions: false };
    expect(findReferences(host, { ...wish, name: 'Store.open()' }).total).toBe(1);
    expect(() => findReferences(host, { ...wish, name: 'a b' })).toThrow('is not a name');
    expect(() => findReferences(host, { ...wish, name: '.*' })).toThrow('is not a name');
  });

  it('names what is around a use, and takes only places in tests where these are wanted', () => {
    const own = {
      'src/a.ts': 'export function open() {\n  retry();\n}\n',
      'tests/a.test.ts': "it('tries again', () => {\n  retry();\n});\n",
    };
    const wish = { name: 'retry', place: 'work:', limit: 9, definitions: false };
    const places = (more: object) =>
      findReferences(treeHost(own), { ...wish, ...more }).references.map((each) => [
        each.path.slice(5),
        each.within,
      ]);
    expect(places({})).toEqual([
      ['src/a.ts', 'open'],
      ['tests/a.test.ts', 'tries again'],
    ]);
    expect(places({ tests: true })).toEqual([['tests/a.test.ts', 'tries again']]);
  });

  it('puts lines that say the package first, and does not read all files for a few', () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`a${at}.go`, 'func f() { bytes.Split(x) }\n']),
    );
    const tree = { ...many, 'z.go': 'func f() { strings.Split(x) }\n' };
    const first = (name: string) =>
      findReferences(treeHost(tree), { name, place: 'work:', limit: 1, definitions: false });
    expect(first('strings.Split').references[0]?.path).toBe('work:z.go');
    expect(first('Split').references[0]?.path).toBe('work:a0.go');
    expect(first('Split').cut).toContain('41 more files');
  });

  it('puts what belongs to another package last, and leaves methods as they are', () => {
    const tree = { 'a.go': 'var a text.Scanner\nvar b Scanner\nvar c bufio.Scanner\n' };
    const linesOf = (name: string) =>
      findReferences(treeHost(tree), {
        ...{ name, place: 'work:', limit: 9, definitions: true },
      }).references.map(({ line }) => line);
    expect(linesOf('bufio.Scanner')).toEqual([3, 2, 1]);
    expect(linesOf('Reader.Scanner')).toEqual([1, 2, 3]);
    expect(linesOf('Scanner')).toEqual([1, 2, 3]);
  });

  it('gives each test before the second place in any, those called after the name first', () => {
    const tree = {
      'a_test.go': 'func TestSort(t *T) {\n\tParseIP(1)\n\tParseIP(2)\n}\n',
      'b_test.go': 'import ParseIP\n\nfunc TestParseIP(t *T) {\n\tParseIP(3)\n}\n',
      'c.go': 'func f() {\n\tParseIP(4)\n}\n',
    };
    const wish = { name: 'ParseIP', place: 'work:', limit: 9, definitions: false, tests: true };
    const { references } = findReferences(treeHost(tree), wish);
    expect(references.map(({ path, line }) => `${path.slice(5)}:${line}`)).toEqual([
      'b_test.go:4',
      'a_test.go:2',
      'a_test.go:3',
      'b_test.go:1',
    ]);
  });
});
