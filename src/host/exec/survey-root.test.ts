import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { protectAlso } from '../below/protected-check.ts';
import { createSurveyor } from './survey-root.ts';
import { withholdPlanted } from './withhold-planted.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-survey-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (path: string): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), 'x');
};
const surveyor = (entries: readonly string[] = []) =>
  createSurveyor(protectAlso(entries.length === 0 ? {} : { work: entries }));

describe('createSurveyor()', () => {
  it('finds protected files and folders, repositories and what is no file', async () => {
    for (const path of [
      'a/.env',
      'key.pem',
      '.git/config',
      '.git/hooks/x',
      '.env.d/deep',
      'src/a.ts',
    ])
      put(path);
    put('sub/.git');
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    const found = await surveyor()('work', dir);
    expect(found.files.sort()).toEqual(['.git/config', 'a/.env', 'key.pem', 'pipe']);
    expect(found.folders.sort()).toEqual(['.env.d', '.git/hooks']);
    expect(found.repositories.sort()).toEqual(['.git', 'sub/.git']);
  });

  it('masks what a protected link leads to inside, and follows none outside', async () => {
    put('config/plain.txt');
    symlinkSync('config/plain.txt', join(dir, '.env'));
    symlinkSync('/etc/passwd', join(dir, '.netrc'));
    symlinkSync('nowhere', join(dir, '.npmrc'));
    symlinkSync('/etc', join(dir, '.git'));
    expect(await surveyor()('work', dir)).toMatchObject({
      files: ['config/plain.txt'],
      folders: [],
      repositories: [],
    });
  });

  it('takes what a person adds and lifts', async () => {
    for (const path of ['.env', 'secrets/a', 'home/x']) put(path);
    const found = await surveyor(['home', ':add secrets/**', ':lift .env'])('work', dir);
    expect({ files: found.files, folders: found.folders.sort() }).toEqual({
      files: [],
      folders: ['home', 'secrets'],
    });
    expect(found.obeyed.size).toBe(0);
  });

  it('sees in a second look what came meanwhile, and looks nowhere twice for nothing', async () => {
    put('a/b/plain.txt');
    const past = new Date(Date.now() - 60_000);
    for (const folder of ['a/b', 'a', '.']) utimesSync(join(dir, folder), past, past);
    const survey = surveyor();
    expect((await survey('work', dir)).files).toEqual([]);
    put('a/b/.env');
    expect((await survey('work', dir)).files).toEqual(['a/b/.env']);
  });
});

describe('withholdPlanted()', () => {
  it('renames what is new and obeyed, and leaves what was there', async () => {
    put('.npmrc');
    const survey = surveyor();
    const before = await survey('work', dir);
    for (const path of [
      'fresh/.git/hooks/pre-commit',
      'sub/.bashrc',
      'sub/own.pem',
      'sub/.bashrc.withheld',
    ])
      put(path);
    const withheld = withholdPlanted(dir, before, await survey('work', dir));
    expect(withheld).toEqual(['fresh/.git', 'sub/.bashrc']);
    const after = await survey('work', dir);
    expect([...after.obeyed.keys()]).toEqual(['.npmrc']);
    expect(execFileSync('ls', ['-A', join(dir, 'sub')], { encoding: 'utf8' }).split('\n')).toEqual([
      '.bashrc.withheld',
      '.bashrc.withheld-2',
      'own.pem',
      '',
    ]);
  });

  it('sees that another file took the place of one', async () => {
    symlinkSync('one', join(dir, '.git'));
    const survey = surveyor();
    const before = await survey('work', dir);
    rmSync(join(dir, '.git'));
    put('spare');
    symlinkSync('two', join(dir, '.git'));
    expect(withholdPlanted(dir, before, await survey('work', dir))).toEqual(['.git']);
  });
});
