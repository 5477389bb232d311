import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  failureOf,
  openTempTree,
  type TempTree,
  wholeWalk,
} from '../../tests/support/temp-tree.ts';
import type { ScanOptions, ScanResult } from './fs-types.ts';

const hasRipgrep = spawnSync('rg', ['--version']).status === 0;

function scan(tree: TempTree, pattern: string, more: Partial<ScanOptions> = {}): ScanResult {
  return tree.fs.scan('work:', {
    walk: wholeWalk,
    pattern,
    literal: false,
    caseInsensitive: false,
    before: 0,
    after: 0,
    limit: 1000,
    ...more,
  });
}

const places = (result: ScanResult) =>
  result.matches.map(({ path, line, column }) => `${path.slice(5)}:${line}:${column}`);

const sample: Record<string, string | Uint8Array> = {
  'src/a.ts': 'const retry = 3;\n// TODO: retry limit\n\nexport { retry };\n',
  'src/b.ts': 'function retryLimit() {\n  return getRetry();\n}',
  'docs/é.md': '# Größe\n\nnaïve Retry – retry\r\nzweite Zeile\r\n',
  'windows.txt': 'one\r\ntwo retry\r\n\r\nretry\r\n',
  'empty.txt': '',
  'blank.txt': '\n\n\n',
  'mark.txt': '\ufeffretry first\nretry second\n',
  'latin1.txt': Buffer.from('caf\xe9 retry\nx\n', 'latin1'),
  'binary.bin': Buffer.from('retry\0retry\n'),
  'utf16.txt': Buffer.from('\ufeffretry in UTF-16\nno\n', 'utf16le'),
  'long.txt': `${'x'.repeat(5000)}retry\n`,
  'tabs.py': '\tdef retry(self):\n\t\tpass\n',
  'a/b/c/deep.go': 'package retry\n\nfunc Retry() {}\n',
  '.hidden': 'retry\n',
  'ignored.log': 'retry\n',
  '.gitignore': '*.log\n',
};

/** ECMAScript and Rust mean the same by these. */
const patterns = [
  'retry',
  'Retry',
  '^retry',
  'retry$',
  '\\bretry\\b',
  '[Rr]etry\\(',
  'retry|TODO',
  'return .*\\(',
  '^\\s+',
  '^$',
  '[a-z]+Limit',
  '\\w+\\(\\)',
  'e {2}',
  '[^a-z ]+$',
  'Größe|naïve',
  'x{50}retry',
  'z.*Z',
];

type RipgrepMatch = {
  type: string;
  data: {
    path: { text: string };
    line_number: number;
    lines: { text?: string };
    submatches: { start: number }[];
  };
};

/** `path:line:byte` of the first match of each line, as `rg --json` tells it. */
function ripgrep(tree: TempTree, pattern: string, ...args: string[]): string[] {
  const fixed = ['--json', '--no-require-git', '--no-ignore-global', '--sort', 'path', '--crlf'];
  const run = spawnSync('rg', [...fixed, ...args, '-e', pattern, '.'], { cwd: tree.path });
  const events = run.stdout.toString().trim().split('\n');
  return events
    .map((line) => JSON.parse(line) as RipgrepMatch)
    .filter(({ type }) => type === 'match')
    .map(
      ({ data }) => `${data.path.text.slice(2)}:${data.line_number}:${data.submatches[0]?.start}`,
    );
}

/** The same of our result: columns are UTF-16 units there, bytes in ripgrep. */
function inBytes(result: ScanResult): string[] {
  return result.matches.map(({ path, line, column, text }) => {
    // A byte that is not UTF-8 is one U+FFFD.
    const before = text.slice(0, column - 1).replaceAll('\ufffd', '?');
    const bytes = text.length < column ? column - 1 : Buffer.byteLength(before);
    return `${path.slice(5)}:${line}:${bytes}`;
  });
}

describe('scanTree()', () => {
  it('gives path, line, column and text of each matching line, once', () => {
    using tree = openTempTree(sample);
    const result = scan(tree, 'retry', { walk: { ...wholeWalk, include: ['*.ts', '*.md'] } });
    expect(result.matches).toEqual([
      {
        path: 'work:docs/é.md',
        line: 3,
        column: 15,
        text: 'naïve Retry – retry',
        before: [],
        after: [],
      },
      {
        path: 'work:src/a.ts',
        line: 1,
        column: 7,
        text: 'const retry = 3;',
        before: [],
        after: [],
      },
      {
        path: 'work:src/a.ts',
        line: 2,
        column: 10,
        text: '// TODO: retry limit',
        before: [],
        after: [],
      },
      {
        path: 'work:src/a.ts',
        line: 4,
        column: 10,
        text: 'export { retry };',
        before: [],
        after: [],
      },
      {
        path: 'work:src/b.ts',
        line: 1,
        column: 10,
        text: 'function retryLimit() {',
        before: [],
        after: [],
      },
    ]);
    expect(result).toMatchObject({ filesScanned: 3, truncated: false });
    expect(result.bytesScanned).toBe(
      ['src/a.ts', 'src/b.ts', 'docs/é.md'].reduce((n, p) => n + Buffer.byteLength(sample[p]!), 0),
    );
  });

  it.skipIf(!hasRipgrep).each(patterns)(
    'finds what ripgrep finds (apt-get install ripgrep): %j',
    (pattern) => {
      using tree = openTempTree(sample);
      expect(inBytes(scan(tree, pattern))).toEqual(ripgrep(tree, pattern));
      const folded = scan(tree, pattern, { caseInsensitive: true });
      expect(inBytes(folded)).toEqual(ripgrep(tree, pattern, '-i'));
      const literal = scan(tree, pattern, { literal: true });
      expect(inBytes(literal)).toEqual(ripgrep(tree, pattern, '-F'));
      const hidden = scan(tree, pattern, { walk: { ...wholeWalk, hidden: true } });
      expect(inBytes(hidden)).toEqual(ripgrep(tree, pattern, '--hidden'));
    },
  );

  it('reads every kind of text, and no binary', () => {
    using tree = openTempTree(sample);
    const found = places(scan(tree, 'retry'));
    expect(found).toContain('mark.txt:1:1');
    expect(found).toContain('latin1.txt:1:6');
    expect(found).toContain('utf16.txt:1:1');
    expect(found).toContain('windows.txt:4:1');
    expect(found).toContain('long.txt:1:5001');
    expect(found.filter((place) => /binary|ignored|hidden/.test(place))).toEqual([]);
    const latin1 = scan(tree, 'caf').matches[0];
    expect(latin1?.text).toBe('caf\ufffd retry');
  });

  it('takes a NUL anywhere for a binary file', () => {
    const filler = 'needle\n'.repeat(40_000);
    using tree = openTempTree({ early: `a\0\n${filler}`, late: `${filler}\0`, none: 'needle\n' });
    expect(places(scan(tree, 'needle'))).toEqual(['none:1:1']);
    expect(scan(tree, 'needle').filesScanned).toBe(2);
  });

  it('matches each line alone', () => {
    using tree = openTempTree({ a: 'foo\nbar\n\nbaz  \nfoo bar\n' });
    expect(places(scan(tree, 'foo\\s+bar'))).toEqual(['a:5:1']);
    expect(places(scan(tree, 'foo[^x]*bar'))).toEqual(['a:5:1']);
    expect(places(scan(tree, '^$'))).toEqual(['a:3:1']);
    expect(places(scan(tree, '\\s+$'))).toEqual(['a:4:4']);
    expect(places(scan(tree, ''))).toHaveLength(5);
    expect(places(scan(tree, '', { literal: true }))).toHaveLength(5);
  });

  it('gives the lines around a match, and those only that are there', () => {
    using tree = openTempTree({ a: '1\r\n2\n3\n4\n5\n6' });
    const around = (pattern: string, before: number, after: number) =>
      scan(tree, pattern, { before, after }).matches.map((match) => [match.before, match.after]);
    expect(around('3', 1, 2)).toEqual([[['2'], ['4', '5']]]);
    expect(around('1', 2, 1)).toEqual([[[], ['2']]]);
    expect(around('2', 2, 0)).toEqual([[['1'], []]]);
    expect(around('6', 1, 2)).toEqual([[['5'], []]]);
    expect(around('[34]', 1, 1)).toEqual([
      [['2'], ['4']],
      [['3'], ['5']],
    ]);
    expect(around('3', 1000, 1000)).toEqual([
      [
        ['1', '2'],
        ['4', '5', '6'],
      ],
    ]);
  });

  it('cuts long lines between characters', () => {
    using tree = openTempTree({ a: `${'x'.repeat(1999)}💡 end\n${'y'.repeat(3000)}\n` });
    const [match] = scan(tree, 'end', { after: 1 }).matches;
    expect(match?.text).toBe('x'.repeat(1999));
    expect(match?.column).toBe(2003);
    expect(match?.after).toEqual(['y'.repeat(2000)]);
  });

  it('says truncated when a limit cut the list, and not when it is just full', () => {
    using tree = openTempTree({ a: 'x\nx\n', b: 'x\n' });
    expect(scan(tree, 'x', { limit: 2 })).toMatchObject({ truncated: true });
    expect(places(scan(tree, 'x', { limit: 2 }))).toEqual(['a:1:1', 'a:2:1']);
    expect(scan(tree, 'x', { limit: 3 })).toMatchObject({ truncated: false });
    expect(scan(tree, 'x', { walk: { ...wholeWalk, limit: 1 } })).toMatchObject({
      truncated: true,
      filesScanned: 1,
    });
    expect(failureOf(() => scan(tree, 'x', { limit: 0 })).tag).toBe('invalid');
    expect(failureOf(() => scan(tree, 'x', { before: -1 })).tag).toBe('invalid');
  });

  it('bounds what it gives, whatever was asked', () => {
    using tree = openTempTree({
      many: 'x\n'.repeat(20_000),
      wide: `${'y'.repeat(2000)}\n`.repeat(9000),
    });
    const huge = 2 ** 32 - 1;
    const many = scan(tree, 'x', { limit: huge });
    expect(many.matches).toHaveLength(10_000);
    expect(many.truncated).toBe(true);
    const wide = scan(tree, 'y', { limit: huge, before: huge, after: huge });
    expect(wide.truncated).toBe(true);
    const lines = wide.matches.flatMap(({ text, before, after }) => [text, ...before, ...after]);
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(4 * 1024 * 1024);
    expect(wide.matches[0]?.after).toHaveLength(50);
  });

  it('reads large files whole, and skips those over 50 MiB', () => {
    using tree = openTempTree({ big: `${'filler line\n'.repeat(200_000)}needle\n` });
    const fd = openSync(join(tree.path, 'huge'), 'w');
    writeSync(fd, 'needle\n');
    ftruncateSync(fd, 2 ** 40);
    closeSync(fd);
    expect(places(scan(tree, 'needle'))).toEqual(['big:200001:1']);
    expect(scan(tree, 'needle').filesScanned).toBe(1);
  });

  it('reads files that end where a page ends', () => {
    for (const size of [4095, 4096, 4097, 8192, 262_144, 262_145]) {
      using tree = openTempTree({ a: `${'x'.repeat(size - 4)}\nend` });
      expect(places(scan(tree, 'end'))).toEqual(['a:2:1']);
      expect(scan(tree, 'end').bytesScanned).toBe(size);
    }
  });

  it('does not see the rest of a longer file in a shorter one', () => {
    using tree = openTempTree({ a: `${'x'.repeat(100)}needle`, b: 'short' });
    expect(places(scan(tree, 'needle'))).toEqual(['a:1:101']);
    expect(places(scan(tree, 'needle', { literal: true }))).toEqual(['a:1:101']);
  });

  it('goes on finding rare needles after many files without', () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n + 100}`, 'x\n']));
    using tree = openTempTree({ ...files, z: 'needle\n' });
    expect(places(scan(tree, 'needle', { literal: true }))).toEqual(['z:1:1']);
    using common = openTempTree({ ...files, z: 'y\n' });
    expect(scan(common, 'xxx|y\\b', {}).matches).toHaveLength(1);
  });

  it('names the pattern that the engine cannot take', () => {
    using tree = openTempTree({ a: 'x\n' });
    const nested = '(?:(?:(?:x?){200}){200}){200}';
    expect(failureOf(() => scan(tree, nested)).tag).toBe('limit');
    expect(failureOf(() => scan(tree, '*')).val).toContain(
      'pattern "*" is not a regular expression',
    );
  });

  it('searches one file when the path is one', () => {
    using tree = openTempTree(sample);
    const options = { walk: wholeWalk, pattern: 'retry', literal: true, caseInsensitive: false };
    const result = tree.fs.scan('src/a.ts', { ...options, before: 0, after: 0, limit: 10 });
    expect(places(result)).toEqual(['src/a.ts:1:7', 'src/a.ts:2:10', 'src/a.ts:4:10']);
    expect(
      failureOf(() => tree.fs.scan('none', { ...options, before: 0, after: 0, limit: 1 })).tag,
    ).toBe('not-found');
  });
});
