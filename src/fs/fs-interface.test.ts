import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf, openTempTree, wholeWalk } from '../../tests/support/temp-tree.ts';
import { createFsInterface } from './fs-interface.ts';
import type { FsInterface } from './fs-types.ts';

const scan = { walk: wholeWalk, pattern: 'token', literal: true, caseInsensitive: false };
const scanFor = { ...scan, before: 0, after: 0, limit: 100 };
const tallyFor = { walk: wholeWalk, words: ['token'], window: 10, overlap: 0, limit: 10 };

/** Every call that takes a path. */
const callsOf = (fs: FsInterface, path: string): [string, () => unknown][] => [
  ['fs.stat', () => fs.stat(path)],
  ['fs.read-text', () => fs.readText(path, 100)],
  ['fs.read-bytes', () => fs.readBytes(path, 0, 100)],
  ['fs.list-dir', () => fs.listDir(path)],
  ['fs.walk', () => fs.walk(path, wholeWalk)],
  ['fs.scan', () => fs.scan(path, scanFor)],
  ['fs.tally', () => fs.tally(path, tallyFor)],
];

describe('createFsInterface()', () => {
  it('names the granted roots, and denies everything without any', () => {
    using tree = openTempTree();
    expect(tree.fs.roots()).toEqual(['work']);
    const none = createFsInterface({ roots: new Map(), report: () => {} });
    expect(none.roots()).toEqual([]);
    for (const [, call] of callsOf(none, 'work:')) expect(failureOf(call).tag).toBe('denied');
  });

  it('reports each call once with its outcome', () => {
    using tree = openTempTree({ 'a.txt': 'é token' });
    const { fs, calls } = tree;
    fs.roots();
    fs.readText('a.txt', 100);
    fs.readBytes('a.txt', 1, 100);
    fs.scan('work:', scanFor);
    failureOf(() => fs.stat('work:none'));
    failureOf(() => fs.listDir('../x'));
    failureOf(() => fs.walk('etc:', wholeWalk));
    expect(calls.map(({ call, target, outcome, bytes }) => [call, target, outcome, bytes])).toEqual(
      [
        ['fs.roots', '', 'ok', undefined],
        ['fs.read-text', 'a.txt', 'ok', 8],
        ['fs.read-bytes', 'a.txt', 'ok', 7],
        ['fs.scan', 'work:', 'ok', 7],
        ['fs.stat', 'work:none', 'not-found', undefined],
        ['fs.list-dir', '../x', 'invalid', undefined],
        ['fs.walk', 'etc:', 'denied', undefined],
      ],
    );
    expect(calls.every(({ durationMs }) => durationMs >= 0)).toBe(true);
  });

  it('reads and looks up many paths, each for itself, up to a sum of texts and of paths', () => {
    using tree = openTempTree({ 'a.txt': 'one', '.env': 'S=1', 'big.txt': 'x'.repeat(5_000_000) });
    const { fs, calls } = tree;
    const found = fs.readMany(['a.txt', 'none', '.env', 'etc:x'], 100);
    expect(found.map((one) => (one.tag === 'ok' ? one.val.text : one.val.tag))).toEqual([
      ...['one', 'not-found', 'denied', 'denied'],
    ]);
    const looked = fs.statMany(['a.txt', '../x']);
    expect(looked.map((one) => (one.tag === 'ok' ? one.val.size : one.val.tag))).toEqual([
      3,
      'invalid',
    ]);
    const large = fs.readMany(['big.txt', 'big.txt', 'a.txt'], 6_000_000);
    expect(large.map(({ tag }) => tag)).toEqual(['ok', 'err', 'ok']);
    expect(failureOf(() => fs.statMany(Array(1001).fill('a.txt'))).tag).toBe('limit');
    expect(calls.map(({ call, target, bytes }) => [call, target.slice(0, 30), bytes])).toEqual([
      ['fs.read-many', '4 paths: a.txt, none, .env, et', 3],
      ['fs.stat-many', '2 paths: a.txt, ../x', undefined],
      ['fs.read-many', '3 paths: big.txt, big.txt, a.t', 5_000_003],
      ['fs.stat-many', '1001 paths: a.txt, a.txt, a.tx', undefined],
    ]);
  });

  it('keeps at most 512 well-formed characters of a path for the journal', () => {
    using tree = openTempTree();
    failureOf(() => tree.fs.stat(`\ud800${'💡'.repeat(400)}`));
    const target = tree.calls[0]?.target ?? '';
    expect(target.length).toBeGreaterThan(500);
    expect(target.length).toBeLessThanOrEqual(512);
    expect(target.isWellFormed()).toBe(true);
  });

  it('reveals nothing about the host in an error', () => {
    using tree = openTempTree({ 'a.txt': 'a', 'dir/b.txt': 'b', 'c.bin': Buffer.from([255, 0]) });
    symlinkSync(join(tree.outside, 'secret.txt'), join(tree.path, 'out'));
    symlinkSync('none', join(tree.path, 'dangling'));
    const paths = [
      'none',
      'a.txt/x',
      'out',
      'out/x',
      'dangling',
      'c.bin',
      'dir',
      'etc:x',
      '/etc',
      'x\ny',
    ];
    const texts: string[] = [];
    for (const path of [...paths, `work:${'n'.repeat(255)}`, 'p'.repeat(5000)]) {
      for (const [, call] of callsOf(tree.fs, path)) {
        try {
          call();
        } catch (thrown) {
          const { val } = failureOf(() => {
            throw thrown;
          });
          texts.push(val);
        }
      }
    }
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts) {
      expect(text).not.toContain(tree.outside);
      expect(text).not.toMatch(/\/proc\/|\/tmp\/|fs-fixture|E[A-Z]{4,}| at |\n/);
      expect(text.length).toBeLessThan(400);
    }
  });

  it.skipIf(process.platform !== 'linux')('leaves the end of a second in that second', () => {
    using tree = openTempTree({ 'a.txt': 'a' });
    execFileSync('touch', ['-d', '@1700000000.999999999', join(tree.path, 'a.txt')]);
    const modifiedMs = 1_700_000_000_999;
    expect(tree.fs.stat('a.txt')).toMatchObject({ modifiedMs });
    expect(tree.fs.listDir('work:')).toMatchObject([{ modifiedMs }]);
  });

  it('lists a directory in byte order with what stat says of each', () => {
    using tree = openTempTree({
      'b.txt': 'bb',
      'B.txt': 'b',
      'é.txt': 'e',
      'dir/x': '',
      '.hidden': '',
    });
    tree.write({ '\u{1f4a1}': '', '\uffee': '', 'line\nfeed': '' });
    symlinkSync('b.txt', join(tree.path, 'a-link'));
    const entries = tree.fs.listDir('work:');
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ['work:.hidden', 'file'],
      ['work:B.txt', 'file'],
      ['work:a-link', 'link'],
      ['work:b.txt', 'file'],
      ['work:dir', 'directory'],
      ['work:é.txt', 'file'],
      ['work:\uffee', 'file'],
      ['work:\u{1f4a1}', 'file'],
    ]);
    expect(tree.fs.stat('b.txt')).toEqual(entries[3]);
    expect(entries[3]).toMatchObject({ size: 2 });
    expect(Math.abs(Date.now() - (entries[3]?.modifiedMs ?? 0))).toBeLessThan(60_000);
    expect(tree.fs.listDir('dir')).toMatchObject([{ path: 'work:dir/x' }]);
  });

  it('says how many names a list leaves out because no path can express them', () => {
    using tree = openTempTree({ 'a.txt': '', 'line\nfeed': '', 'dir/back\\slash': '' });
    expect(tree.fs.walk('work:', wholeWalk).map(({ path }) => path)).toEqual([
      'work:a.txt',
      'work:dir',
    ]);
    expect(tree.fs.listDir('work:')).toHaveLength(2);
    tree.write({ 'tab\t': '' });
    tree.fs.listDir('work:');
    expect(tree.warnings).toEqual([
      'left out: 2 names that are not UTF-8, or with a control character or a backslash',
      'left out: 1 name that is not UTF-8, or with a control character or a backslash',
      'left out: 2 names that are not UTF-8, or with a control character or a backslash',
    ]);
  });

  it('counts no name that a walk would pass by anyway', () => {
    using tree = openTempTree({
      '.gitignore': '*.log\nbuild/\n',
      'ignored\n.log': '',
      'build/a\n.ts': '',
      '.hidden\n.ts': '',
      'other\n.md': '',
      'no\n.test.ts': '',
      'a\n.ts': '',
      'b.ts': '',
      'folder\n/c.ts': '',
    });
    const walk = { ...wholeWalk, include: ['*.ts'], exclude: ['*.test.ts'] };
    expect(tree.fs.walk('work:', walk).map(({ path }) => path)).toEqual(['work:b.ts']);
    // `a\n.ts`, and the folder, in which there may be more of them.
    expect(tree.warnings).toEqual([
      'left out: 2 names that are not UTF-8, or with a control character or a backslash',
    ]);
  });

  it('refuses to list more than 10,000 entries, and walks them', () => {
    const names = Array.from({ length: 10_001 }, (_, n) => [`many/${n}`, ''] as const);
    using tree = openTempTree(Object.fromEntries(names));
    const failure = failureOf(() => tree.fs.listDir('many'));
    expect(failure).toMatchObject({ tag: 'limit' });
    expect(failure.val).toContain('more than 10000 entries');
    expect(tree.fs.walk('many', wholeWalk)).toHaveLength(10_001);
  });

  describe('protected files', () => {
    const files = {
      '.env': 'token=1',
      'sub/SERVER.PEM': 'token=2',
      '.env.d/x': 'token=3',
      '.git/config': 'token=4',
      '.git/hooks/pre-commit': 'token=5',
      'open.txt': 'token=6',
    };
    const names = ['.env', 'sub/SERVER.PEM', '.env.d/x', '.git/config', '.git/hooks/pre-commit'];

    it('are denied by name, whether they exist or not', () => {
      using tree = openTempTree(files);
      for (const name of [...names, 'none.key', '.env.d', '.git/hooks']) {
        for (const [, call] of callsOf(tree.fs, name)) {
          expect(failureOf(call)).toEqual({
            tag: 'denied',
            val: `path ${JSON.stringify(name)} is a protected file`,
          });
        }
      }
      expect(tree.fs.readText('open.txt', 100).text).toBe('token=6');
    });

    it('are denied through links', () => {
      using tree = openTempTree(files);
      symlinkSync('.env', join(tree.path, 'harmless'));
      symlinkSync('.git', join(tree.path, 'git'));
      symlinkSync('open.txt', join(tree.path, 'fine'));
      for (const name of ['harmless', 'git/config', 'git/hooks/pre-commit']) {
        for (const [, call] of callsOf(tree.fs, name)) expect(failureOf(call).tag).toBe('denied');
      }
      expect(tree.fs.readText('fine', 100).text).toBe('token=6');
    });

    it('are seen in listings and left out of scan and tally', () => {
      using tree = openTempTree(files);
      const walk = { ...wholeWalk, hidden: true };
      expect(tree.fs.listDir('work:').map(({ path }) => path)).toContain('work:.env');
      const walked = tree.fs.walk('work:', walk).map(({ path }) => path);
      expect(walked).toContain('work:.env');
      expect(walked).not.toContain('work:.env.d/x');
      const { matches } = tree.fs.scan('work:', { ...scanFor, walk });
      expect(matches.map(({ path }) => path)).toEqual(['work:open.txt']);
      const { windows } = tree.fs.tally('work:', { ...tallyFor, walk });
      expect(windows.map(({ path }) => path)).toEqual(['work:open.txt']);
    });

    it('are open where the check is another', () => {
      using tree = openTempTree(files, (path) => path === 'open.txt');
      const walk = { ...wholeWalk, hidden: true };
      expect(tree.fs.readText('.env', 100).text).toBe('token=1');
      expect(failureOf(() => tree.fs.readText('open.txt', 100)).tag).toBe('denied');
      const { matches } = tree.fs.scan('work:', { ...scanFor, walk });
      expect(matches.map(({ path }) => path)).toEqual([
        'work:.env',
        'work:.env.d/x',
        'work:sub/SERVER.PEM',
      ]);
    });
  });

  it('names what lies behind a link by the path that was asked', () => {
    using tree = openTempTree({ 'real/sub/a.txt': 'token' });
    symlinkSync('real/sub', join(tree.path, 'link'));
    mkdirSync(join(tree.path, 'deep'));
    symlinkSync('..', join(tree.path, 'deep/top'));
    expect(tree.fs.scan('link', scanFor).matches[0]?.path).toBe('work:link/a.txt');
    expect(tree.fs.listDir('link')[0]?.path).toBe('work:link/a.txt');
    expect(tree.fs.walk('link', wholeWalk)[0]?.path).toBe('work:link/a.txt');
    expect(tree.fs.scan('deep/top', scanFor).matches[0]?.path).toBe('work:deep/top/real/sub/a.txt');
    expect(tree.fs.scan('link/a.txt', scanFor).matches[0]?.path).toBe('work:link/a.txt');
    expect(tree.fs.scan('work:.', scanFor).matches[0]?.path).toBe('work:real/sub/a.txt');
  });
});
