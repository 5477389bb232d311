import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { FsInterface, WalkOptions } from '../../src/fs/fs-types.ts';

/** Numbers below 1 in an order that a seed repeats. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const folders = ['', 'src/', 'src/deep/', 'docs/', '.config/', 'out/', 'src.d/', 'tests/a b/'];
const names = ['a.ts', 'b.ts', 'c.test.ts', 'read.md', '.hidden', 'z.log', 'größe.txt', '[id].ts'];
const words = [
  'retryLimit',
  'retry_limit',
  'RETRY',
  'HTTPServer2',
  'backoff',
  'Kelvin',
  'ſharp',
  'größe',
  '__init__',
  'x',
  'a"b',
  'file',
];
const patterns = [
  ...['retry', 'Limit', 'RETRY', 'a"b', 'größe', 'back', 'nothing', 'x', 'ſharp', '__init__'],
  ...[
    'retry\\w+',
    '(?:retry|back)[A-Z_]?\\w*',
    'HTTP|file',
    '^file',
    'Ser?ver\\d',
    '(?!x)retry',
    '\\d$',
  ],
];
const asked = [
  'retr',
  'limit',
  'retry_limit',
  'http',
  'httpserver2',
  'backoff',
  'größ',
  'x',
  'init',
  'fi',
  'no-word',
  '_x',
];

export type Random = () => number;
const pick = <T>(random: Random, all: readonly T[]): T =>
  all[Math.floor(random() * all.length)] as T;

function someText(random: Random): string | Buffer {
  const lines = Array.from({ length: Math.floor(random() * 90) }, () =>
    Array.from({ length: Math.floor(random() * 4) }, () => pick(random, words)).join(' '),
  );
  const text = lines.join(random() < 0.1 ? '\r\n' : '\n');
  const kind = random();
  if (kind < 0.05) return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (kind < 0.1) return Buffer.from(`${text}\0`);
  if (kind < 0.15) return Buffer.concat([Buffer.from([0xff, 0x80]), Buffer.from(text)]);
  if (kind < 0.2) return text.replaceAll('\n', ' ').repeat(8);
  return text;
}

/** One change that a person or a program makes to a tree. */
export function editTree(random: Random, root: string): void {
  const path = join(root, pick(random, folders), pick(random, names));
  const other = join(root, pick(random, folders), pick(random, names));
  const kind = random();
  try {
    if (kind < 0.5) {
      mkdirSync(dirname(path), { recursive: true });
      const before = lstatSync(path, { throwIfNoEntry: false });
      writeFileSync(path, someText(random));
      // Some programs put the time back.
      if (before !== undefined && random() < 0.3) utimesSync(path, before.atime, before.mtime);
    } else if (kind < 0.6) rmSync(path, { force: true });
    else if (kind < 0.7) renameSync(path, other);
    else if (kind < 0.75)
      rmSync(dirname(path) === root ? path : dirname(path), { recursive: true });
    else if (kind < 0.8) symlinkSync(other, path);
    else if (kind < 0.85) chmodSync(path, random() < 0.5 ? 0o644 : 0o600);
    else if (kind < 0.95) {
      const rules = ['*.log\n', 'out/\n', 'docs\n!read.md\n', '!.hidden\n', '.config/\n', ''];
      const name = pick(random, ['.gitignore', '.ignore', 'src/.gitignore', '.cuervoignore']);
      if (existsSync(dirname(join(root, name))))
        writeFileSync(join(root, name), pick(random, rules));
    } else {
      mkdirSync(join(root, '.git/info'), { recursive: true });
      writeFileSync(join(root, '.git/info/exclude'), pick(random, ['b.ts\n', '', 'src\n']));
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown;
  }
}

function someWalk(random: Random): WalkOptions {
  return {
    include: pick(random, [
      [],
      [],
      ['*.ts'],
      ['src/'],
      ['*.{ts,md}', '!b.ts'],
      ['[id].ts'],
      ['/src'],
    ]),
    exclude: pick(random, [[], [], ['*.test.ts'], ['src/deep/'], ['docs']]),
    ignoreFiles: random() < 0.9,
    hidden: random() < 0.4,
    ...(random() < 0.1 ? { maxDepth: 2 } : {}),
    limit: pick(random, [100_000, 100_000, 100_000, 5]),
  };
}

/** All that a guest can tell the answers apart by. */
export function answersOf(fs: FsInterface, random: Random): unknown[] {
  const place = pick(random, [
    'work:',
    'work:',
    'work:src',
    'work:.config',
    'work:src/a.ts',
    'out',
  ]);
  const walk = someWalk(random);
  const pattern = pick(random, patterns);
  const scan = {
    ...{ walk, pattern, literal: random() < 0.3, caseInsensitive: random() < 0.4 },
    ...{ before: 0, after: 1, limit: pick(random, [1000, 3]) },
  };
  const tally = {
    ...{ walk, words: asked.filter(() => random() < 0.5), overlap: 10 },
    ...{ window: random() < 0.9 ? 40 : 20, limit: pick(random, [2000, 2]) },
  };
  const all = [
    () => fs.scan(place, scan),
    () => fs.unsearched(),
    () => fs.tally(place, tally),
    () => fs.unsearched(),
    () => fs.walk(place, walk),
    () => fs.unsearched(),
  ];
  return all.map((run) => {
    try {
      return run();
    } catch (thrown) {
      return String((thrown as { payload?: { tag: string } }).payload?.tag);
    }
  });
}
