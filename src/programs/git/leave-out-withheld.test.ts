import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContentGate } from '../../contracts/content-gate.ts';
import {
  changeOfWithheld,
  entriesBelow,
  leaveOutWithheld,
  withExactRenames,
  withheldPathspecs,
} from './leave-out-withheld.ts';

const leaveOut = (line: string) => leaveOutWithheld(line.split(' '), () => [':x']).join(' ');

describe('leaveOutWithheld()', () => {
  it.each([
    ['grep a', 'grep a :x'],
    ['-C sub grep a HEAD -- b', '-C sub grep a HEAD -- b :x'],
    ['log -Sa b', 'log --full-history -Sa b :x'],
    ['log -pG a -- b', 'log --full-history -pG a -- b :x'],
    ['diff -pa', 'diff -pa :x'],
    ['show --text HEAD', 'show --text HEAD :x'],
    ['diff-tree --binary HEAD', 'diff-tree --binary HEAD :x'],
    ['diff --stat -M90 -U3', 'diff --stat -M90 -U3 :x'],
    ['diff-files -pB -- a', 'diff-files -pB -- a :x'],
    ['diff-index --find-copies-harder HEAD', 'diff-index --find-copies-harder HEAD :x'],
    ['--literal-pathspecs grep a -- b* c', 'grep a -- :(literal)b* :(literal)c :x'],
    ['log -L1,2:a.ts', 'log -L1,2:a.ts --no-renames'],
    ['log -L 1,2:a.ts HEAD', 'log -L 1,2:a.ts HEAD --no-renames'],
  ])('makes of %s: %s', (line, expected) => {
    expect(leaveOut(line)).toBe(expected);
  });

  it.each([
    'log -p -M',
    'show HEAD',
    'diff --stat -U3',
    'diff-tree -M HEAD',
    'add -A',
    'log --all',
    '--version',
  ])('leaves %s as it is', (line) => expect(leaveOut(line)).toBe(line));

  it('refuses paths that cannot be told from commits', () => {
    expect(() => leaveOut('--literal-pathspecs grep a b')).toThrow(/has no -- in front/);
  });
});

describe('changeOfWithheld()', () => {
  const asked = (line: string) => changeOfWithheld(line.split(' '), () => [':(exclude,top)x']);

  it('asks whether one changed since what a difference is made with', () => {
    const look = ['diff', '--quiet', '--no-renames'];
    expect(asked('diff --stat HEAD')).toEqual([...look, 'HEAD', '--', ':(top)x']);
    expect(asked('-C sub --literal-pathspecs diff -p a b -- c')).toEqual([
      ...['-C', 'sub', ...look, 'a', 'b', '--', ':(top)x'],
    ]);
  });

  it.each(['diff', 'diff --cached', 'diff -M HEAD', 'log HEAD', 'show HEAD', 'diff -- a'])(
    'asks nothing for %s',
    (line) => expect(asked(line)).toBeUndefined(),
  );
});

describe('withExactRenames()', () => {
  it('stands in front, so that what a person says counts', () => {
    expect(withExactRenames(['-C', 'a', 'diff', '--no-renames', 'HEAD'])).toEqual([
      ...['-C', 'a', 'diff', '--find-renames=100%', '--no-renames', 'HEAD'],
    ]);
  });
});

describe('entriesBelow()', () => {
  it.each([
    [':add *.kdbx', 'lib', [':add *.kdbx']],
    [':add lib/keys.txt', 'lib', [':add /keys.txt']],
    [':add /Lib/own/a.txt', 'lib', [':add /own/a.txt']],
    [':add lib/*/a.txt', 'lib/x', [':add /a.txt']],
    [':add **/own/a.txt', 'lib', [':add /**/own/a.txt']],
    [':add **/own/a.txt', 'lib/own', [':add /a.txt', ':add /**/own/a.txt']],
    [':add other/keys.txt', 'lib', []],
    [':add lib', 'lib', [':add lib']],
    [':lift lib/.env', 'lib', [':lift /.env']],
    ['lib/home', 'lib', ['home']],
    ['home', 'lib', []],
  ])('reads %s from %s as %j', (entry, top, expected) => {
    expect(entriesBelow([entry], top.split('/')).sort()).toEqual([...expected].sort());
  });

  it('leaves entries as they are at the top', () => {
    expect(entriesBelow([':add lib/keys.txt', 'home'], [])).toEqual([':add lib/keys.txt', 'home']);
  });
});

const paths = [
  ...['.env', '.env.local', '.env.example', '.env.exam', '.env.examples', '.ENV.Test', 'a.pem'],
  ...['test.pem', 'a.test.pem', 'est.pem', 'sub/.env.example', 'sub/.env', '.npmrc', 'id_rsa'],
  ...['id_rsa.pub', '.env.sample', '.env-x', 'env', 'own/secret.txt', 'own/plain.txt', 'sub/own/a'],
  ...[
    'secrets/a/b',
    'deep/secrets/a',
    'x.kdbx',
    'sub/y.KDBX',
    'state/home/x',
    'a[1].txt',
    'a1.txt',
  ],
  ...['.env.d/a', 'keys.pem/deep/a', 'src/a.ts'],
];
let folder = '';
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
const shown = (pathspecs: readonly string[]): string[] =>
  git('ls-files', '-z', '--', '.', ...pathspecs)
    .split('\0')
    .filter(Boolean);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuervo-pathspecs-'));
  git('init', '--quiet');
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x\n');
  }
  git('add', '--all', '--force');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('withheldPathspecs()', () => {
  it.each([
    [[]],
    [[':add own/secret.txt', ':add *.kdbx', 'state/home']],
    [[':add secrets/**', ':add own']],
    [[':add a[1].txt']],
    [[':lift .env.example', ':lift .env.sample', ':lift .env-x']],
    [[':lift test.pem', ':lift .npmrc', ':lift id_rsa.pub']],
    [[':lift .env', ':lift .env.example', ':add .env.example']],
  ])('leaves out what the gate withholds, and nothing else: %j', (entries) => {
    const { isProtected } = createContentGate({ work: entries });
    const all = shown([]);
    expect(all).toHaveLength(paths.length);
    const kept = all.filter((path) => !isProtected(path, 'work'));
    expect(shown(withheldPathspecs(entries))).toEqual(kept);
    expect(kept.length).toBeLessThan(all.length);
  });

  it('leaves out more, never less, where a pattern or a path is lifted', () => {
    const entries = [':lift .env.*', ':lift sub/.env'];
    const { isProtected } = createContentGate({ work: entries });
    const left = shown(withheldPathspecs(entries));
    expect(left.filter((path) => isProtected(path, 'work'))).toEqual([]);
    expect(left).not.toContain('.env.local');
  });
});
