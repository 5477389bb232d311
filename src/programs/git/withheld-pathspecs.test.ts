import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContentGate } from '../../contracts/content-gate.ts';
import { withheldPathspecs } from './withheld-pathspecs.ts';

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
