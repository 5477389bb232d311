import { describe, expect, it } from 'vitest';
import { slowest } from '../slowest-first.ts';
import { repositoryFiles, type SourceFile, sourceFile } from './source-files.ts';

const folders = ['.ci', 'docs', 'examples', 'plugins', 'scheduler', 'sdk', 'src', 'tests', 'wit'];
const documents = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
];
const configuration = [
  '.gitignore',
  '.npmrc',
  'biome.json',
  'knip.json',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];

const strays = (paths: readonly string[]): string[] =>
  paths.filter((path) => {
    const [top = '', ...rest] = path.split('/');
    return !(rest.length > 0 ? folders : [...documents, ...configuration]).includes(top);
  });

describe('the top level', () => {
  it('holds the folders of the design, the documents and the tools’ configuration', () => {
    const paths = repositoryFiles();
    expect(paths.length).toBeGreaterThan(200);
    expect(strays(paths)).toEqual([]);
  });

  it('has no place for another folder or file', () => {
    expect(strays(['packages/a/index.ts', 'notes.md', 'src/index.ts', 'README.md'])).toEqual([
      'packages/a/index.ts',
      'notes.md',
    ]);
  });
});

/** What a build, a tool or an editor leaves, wherever it is. */
const made = (paths: readonly string[]): string[] =>
  paths.filter((path) => /(?:^|\/)(?:target|dist|node_modules|__pycache__)\//.test(path));

describe('the repository', () => {
  it('holds nothing that a build made', () => {
    expect(made(repositoryFiles())).toEqual([]);
    expect(made(['examples/plugins/a/target/a.d', 'src/target.ts', 'dist/a.js'])).toEqual([
      'examples/plugins/a/target/a.d',
      'dist/a.js',
    ]);
  });
});

/** In pieces, so that this file does not hold what it looks for. */
const foreign = [
  [
    'a folder of one machine',
    `/(?:${['work', 'home/[a-z]+', 'Users/[a-z]+'].join('|')})/(?:main|shared)`,
  ],
  ['notes that are not in the repository', ['house', '-style|', 'shared', '/design'].join('')],
  [
    'how it was written',
    // As a client it has a setup; nothing is made by it.
    `\\b(?:${['sub', '-?agents?|AI ses', 'sions?|(?:by|with) Claude ', 'Code'].join('')})\\b`,
  ],
  ['how it was written', `\\b(?:${['Co-Authored', '-By|issues ', 'show'].join('')})\\b`],
] as const;

const mentions = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = foreign.find(([, pattern]) => new RegExp(pattern, 'i').test(line));
      return found === undefined ? [] : [`${path}:${index + 1} names ${found[0]}`];
    }),
  );

describe('the slowest tests', () => {
  it('are there, by the names in tests/slowest-first.ts', () => {
    const named = Object.keys(slowest);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !repositoryFiles().includes(path))).toEqual([]);
  });
});

describe('sources and documents', () => {
  it('speak of the project alone', () => {
    const files = repositoryFiles()
      .filter((path) => /\.(?:[cm]?[jt]s|md|json|jsonl|toml|wit|wat|sh)$|^[^.]+$/.test(path))
      .filter((path) => !path.endsWith('package-lock.json'))
      .map((path) => sourceFile(path));
    expect(files.length).toBeGreaterThan(200);
    expect(mentions(files)).toEqual([]);
  });

  it.each([
    ['/work', '/main/src'].join(''),
    ['see the house', '-style'].join(''),
    ['written by a sub', 'agent'].join(''),
    ['made with Claude ', 'Code'].join(''),
  ])('would be caught with %j', (text) => {
    expect(mentions([{ path: 'a.md', text: `one\n${text}\n` }])).toHaveLength(1);
  });
});
