import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../tests/support/runs.ts';
import {
  failureOf,
  openTempTree,
  type TempTree,
  wholeWalk,
} from '../../tests/support/temp-tree.ts';
import type { WalkOptions } from './fs-types.ts';
import { compareInWalk } from './visit-tree.ts';

const hasRipgrep = spawnSync('rg', ['--version']).status === 0;

function filesOf(tree: TempTree, more: Partial<WalkOptions> = {}, path = 'work:'): string[] {
  const entries = tree.fs.walk(path, { ...wholeWalk, ...more });
  return entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path.slice(5));
}

/** Files as ripgrep lists them in the same order. */
function ripgrepFiles(tree: TempTree, ...args: string[]): string[] {
  const fixed = ['--files', '--no-require-git', '--no-ignore-global', '--sort', 'path'];
  const run = spawnSync('rg', [...fixed, ...args], { cwd: tree.path, encoding: 'utf8' });
  return run.stdout.split('\n').filter((line) => line !== '');
}

const ignoreCases: Record<string, Record<string, string>> = {
  'a name at any depth': { '.gitignore': 'build\n', 'build/x': '', 'a/build': '', 'a/b': '' },
  'a suffix': { '.gitignore': '*.log\n', 'x.log': '', 'a/y.log': '', 'a/log': '', 'a.logs': '' },
  'a directory only': { '.gitignore': 'out/\n', 'out/x': '', 'a/out': '', 'b/out/y': '' },
  'an anchored name': { '.gitignore': '/top\n', top: '', 'a/top': '' },
  'an anchored directory': { '.gitignore': '/dist/\n', 'dist/x': '', 'a/dist/y': '' },
  'a path': { '.gitignore': 'a/b\n', 'a/b/c': '', 'x/a/b/c': '', 'a/d': '' },
  'a negation': { '.gitignore': '*.log\n!keep.log\n', 'x.log': '', 'a/keep.log': '' },
  'a negation below an ignored directory': { '.gitignore': 'a/\n!a/keep\n', 'a/keep': '', b: '' },
  'a negated directory': { '.gitignore': '/*\n!/src\n', 'src/a': '', 'lib/b': '', c: '' },
  'a deeper file that overrides': {
    '.gitignore': '*.log\n',
    'a/.gitignore': '!*.log\n',
    'a/x.log': '',
    'y.log': '',
    'a/b/z.log': '',
  },
  'a deeper file that adds': { 'a/.gitignore': '/x\n', 'a/x': '', 'a/b/x': '', x: '' },
  'double stars': {
    '.gitignore': 'a/**/z\n**/deep\nq/**\n',
    'a/z': '',
    'a/b/c/z': '',
    'x/deep/y': '',
    'q/r': '',
  },
  'question marks and classes': {
    '.gitignore': '?.o\n[ab].c\n',
    'x.o': '',
    'xy.o': '',
    'a.c': '',
    'c.c': '',
  },
  'comments, blanks and escapes': {
    '.gitignore': '# x\n\n\\#y\n\\!z\n',
    x: '',
    '#y': '',
    '!z': '',
  },
  'Windows line ends': { '.gitignore': 'x\r\ny/\r\n', x: '', 'y/a': '', z: '' },
  case: { '.gitignore': 'README\n', README: '', readme: '' },
  'an .ignore above .gitignore': {
    '.gitignore': '*.log\n',
    '.ignore': '!x.log\n',
    'x.log': '',
    'y.log': '',
  },
  'an .ignore that opens a directory': {
    '.gitignore': 'build/\n*.o\n',
    '.ignore': '!build/\n',
    'build/x': '',
    'build/y.o': '',
    'build/sub/z': '',
  },
  'an outer repository': {
    '.gitignore': 'x\n',
    'inner/.git/HEAD': '',
    'inner/x': '',
    'inner/.gitignore': 'y\n',
    'inner/y': '',
    x: '',
  },
  'the exclude file of a repository': {
    '.git/info/exclude': 'x\nz\n',
    '.gitignore': '!z\n',
    x: '',
    'a/x': '',
    z: '',
  },
  'hidden files that a rule keeps': { '.ignore': '!.shown\n', '.shown': '', '.not': '', a: '' },
  'names with spaces': { '.gitignore': 'a b\nc\\ \n', 'a b': '', 'c ': '', c: '' },
};

const ignoreExpected: Record<string, string[]> = {
  'a name at any depth': ['a/b'],
  'a suffix': ['a/log', 'a.logs'],
  'a directory only': ['a/out'],
  'an anchored name': ['a/top'],
  'an anchored directory': ['a/dist/y'],
  'a path': ['a/d', 'x/a/b/c'],
  'a negation': ['a/keep.log'],
  'a negation below an ignored directory': ['b'],
  'a negated directory': ['src/a'],
  'a deeper file that overrides': ['a/b/z.log', 'a/x.log'],
  'a deeper file that adds': ['a/b/x', 'x'],
  'double stars': [],
  'question marks and classes': ['c.c', 'xy.o'],
  'comments, blanks and escapes': ['x'],
  'Windows line ends': ['z'],
  case: ['readme'],
  'an .ignore above .gitignore': ['x.log'],
  'an .ignore that opens a directory': ['build/sub/z', 'build/x'],
  'an outer repository': ['inner/x'],
  'the exclude file of a repository': ['z'],
  'hidden files that a rule keeps': ['.shown', 'a'],
  'names with spaces': ['c'],
};

describe('visitTree()', () => {
  it.each(Object.entries(ignoreCases))('applies ignore rules: %s', (name, files) => {
    using tree = openTempTree(files);
    expect(filesOf(tree)).toEqual(ignoreExpected[name]);
    const all = Object.keys(files).filter((path) => !/(^|\/)\./.test(path));
    expect(filesOf(tree, { ignoreFiles: false })).toEqual(expect.arrayContaining(all));
  });

  it.skipIf(!hasRipgrep).each(Object.entries(ignoreCases))(
    'lists what ripgrep lists (apt-get install ripgrep): %s',
    (_, files) => {
      using tree = openTempTree(files);
      expect(filesOf(tree)).toEqual(ripgrepFiles(tree));
      const shown = ripgrepFiles(tree, '--hidden', '--glob', '!.git');
      expect(filesOf(tree, { hidden: true })).toEqual(shown);
    },
  );

  it('gives .cuervoignore the last word', () => {
    using tree = openTempTree({
      '.gitignore': 'a\n',
      '.ignore': 'b\n!c\n',
      '.cuervoignore': '!a\n!b\nc\n',
      a: '',
      b: '',
      c: '',
      'sub/c': '',
    });
    expect(filesOf(tree)).toEqual(['a', 'b']);
  });

  it('applies the rules above the start, and walks what was asked for by name', () => {
    using tree = openTempTree({
      '.gitignore': '*.log\nnode_modules/\n',
      'src/x.log': '',
      'src/y': '',
      'node_modules/pkg/index.js': '',
      'node_modules/pkg/x.log': '',
      'node_modules/pkg/node_modules/z': '',
    });
    expect(filesOf(tree, {}, 'src')).toEqual(['src/y']);
    expect(filesOf(tree, {}, 'node_modules/pkg')).toContain('node_modules/pkg/index.js');
    expect(filesOf(tree, {}, 'node_modules/pkg')).not.toContain('node_modules/pkg/x.log');
    expect(filesOf(tree, {}, 'src/x.log')).toEqual(['src/x.log']);
  });

  it('keeps what include names, at any depth, with all below a directory', () => {
    using tree = openTempTree({
      'a.ts': '',
      'a.js': '',
      'src/b.ts': '',
      'src/b.test.ts': '',
      'src/deep/c.ts': '',
      'src/deep/d.md': '',
      'lib/src/e.md': '',
    });
    const include = (...globs: string[]) => filesOf(tree, { include: globs });
    expect(include('*.ts')).toEqual(['a.ts', 'src/b.test.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(include('*.{js,md}')).toEqual(['a.js', 'lib/src/e.md', 'src/deep/d.md']);
    expect(include('/*.ts')).toEqual(['a.ts']);
    expect(include('src/*.ts')).toEqual(['src/b.test.ts', 'src/b.ts']);
    expect(include('src/**/*.ts')).toEqual(['src/b.test.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(include('src/deep/**')).toEqual(['src/deep/c.ts', 'src/deep/d.md']);
    expect(include('deep/')).toEqual(['src/deep/c.ts', 'src/deep/d.md']);
    expect(include('src')).toHaveLength(5);
    expect(include('*.ts', '!*.test.ts')).not.toContain('src/b.test.ts');
    expect(include('!*.ts')).toEqual(['a.js', 'lib/src/e.md', 'src/deep/d.md']);
    expect(include('none')).toEqual([]);
    const walked = tree.fs.walk('work:', { ...wholeWalk, include: ['*.ts'] });
    expect(walked.every(({ kind }) => kind === 'file')).toBe(true);
  });

  it('takes globs as relative to the start', () => {
    using tree = openTempTree({ 'src/lib/a.ts': '', 'src/b.ts': '' });
    expect(filesOf(tree, { include: ['lib/*.ts'] }, 'src')).toEqual(['src/lib/a.ts']);
    expect(filesOf(tree, { exclude: ['/b.ts'] }, 'src')).toEqual(['src/lib/a.ts']);
  });

  it('leaves out what exclude names, directories with all below', () => {
    using tree = openTempTree({ 'a.ts': '', 'b.js': '', 'dist/c.ts': '', 'src/dist/d.ts': '' });
    expect(filesOf(tree, { exclude: ['dist'] })).toEqual(['a.ts', 'b.js']);
    expect(filesOf(tree, { exclude: ['/dist/**', '*.js'] })).toEqual(['a.ts', 'src/dist/d.ts']);
    expect(filesOf(tree, { include: ['*.ts'], exclude: ['src'] })).toEqual(['a.ts', 'dist/c.ts']);
  });

  it('refuses globs without end and without sense', () => {
    using tree = openTempTree();
    const tags = (globs: string[]) => failureOf(() => filesOf(tree, { include: globs })).tag;
    expect(tags(Array.from({ length: 257 }, () => 'x'))).toBe('limit');
    expect(tags(['x'.repeat(1025)])).toBe('limit');
    expect(tags(['{a,b}'.repeat(20)])).toBe('limit');
    expect(tags([''])).toBe('invalid');
  });

  it('goes depth first in byte order, directories before what is in them', () => {
    using tree = openTempTree({ 'a.ts': '', 'a/z': '', 'a/B/c': '', Z: '', 'b/y': '' });
    const paths = tree.fs.walk('work:', wholeWalk).map(({ path }) => path.slice(5));
    expect(paths).toEqual(['Z', 'a', 'a/B', 'a/B/c', 'a/z', 'a.ts', 'b', 'b/y']);
  });

  it('shows hidden files only when asked, and .git never', () => {
    using tree = openTempTree({
      '.a': '',
      '.d/x': '',
      '.git/HEAD': '',
      'sub/.git/HEAD': '',
      b: '',
    });
    expect(filesOf(tree)).toEqual(['b']);
    expect(filesOf(tree, { hidden: true, ignoreFiles: false })).toEqual(['.a', '.d/x', 'b']);
  });

  it('stops at max-depth and at the limit', () => {
    using tree = openTempTree({ a: '', 'x/b': '', 'x/y/c': '' });
    expect(filesOf(tree, { maxDepth: 0 })).toEqual([]);
    expect(filesOf(tree, { maxDepth: 1 })).toEqual(['a']);
    expect(filesOf(tree, { maxDepth: 2 })).toEqual(['a', 'x/b']);
    expect(filesOf(tree, { maxDepth: 2 }, 'x')).toEqual(['x/b', 'x/y/c']);
    expect(tree.fs.walk('work:', { ...wholeWalk, limit: 2 })).toHaveLength(2);
    expect(failureOf(() => filesOf(tree, { limit: 0 })).tag).toBe('invalid');
    expect(failureOf(() => filesOf(tree, { maxDepth: -1 })).tag).toBe('invalid');
  });

  it('reports links as links and goes through none', () => {
    using tree = openTempTree({ 'real/a': '' });
    symlinkSync('real', join(tree.path, 'link'));
    symlinkSync('..', join(tree.path, 'real/up'));
    symlinkSync('../..', join(tree.path, 'real/out'));
    const entries = tree.fs.walk('work:', wholeWalk);
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ['work:link', 'link'],
      ['work:real', 'directory'],
      ['work:real/a', 'file'],
      ['work:real/out', 'link'],
      ['work:real/up', 'link'],
    ]);
  });

  it('ends at 128 levels of a tree that goes on', () => {
    using tree = openTempTree();
    // Deeper than any path that a system call would take.
    const deep = 'mkdir d && cd d && '.repeat(300);
    execFileSync('sh', ['-c', `${deep} touch end`], { cwd: tree.path });
    expect(tree.fs.walk('work:', wholeWalk)).toHaveLength(128);
  });

  it('leaves out what it may not or cannot express', () => {
    using tree = openTempTree({ 'new\nline': '', 'back\\slash': '', 'bell\u0007': '', plain: '' });
    execFileSync('sh', ['-c', 'touch "$(printf "bad\\377name")"'], { cwd: tree.path });
    expect(filesOf(tree)).toEqual(['plain']);
  });
});

const name = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', '.', '-', ' ', '~', 'é', '\uffee', '😀'),
  minLength: 1,
  maxLength: 3,
});

describe('compareInWalk()', () => {
  it('orders paths as a walk comes by them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        (all) => {
          using tree = openTempTree();
          for (const path of all) make(tree.path, path);
          const walked = tree.fs
            .walk('work:', { ...wholeWalk, hidden: true, ignoreFiles: false })
            .map((entry) => entry.path.slice('work:'.length));
          expect(walked.toSorted(compareInWalk)).toEqual(walked);
          expect(walked.toReversed().toSorted(compareInWalk)).toEqual(walked);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

/** A path is missing where a file stands in the way of a folder, or a name leads elsewhere. */
function make(root: string, path: readonly string[]): void {
  if (path.some((part) => part === '.' || part === '..')) return;
  const file = join(root, ...path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  } catch {
    rmSync(file, { force: true, recursive: true });
  }
}
