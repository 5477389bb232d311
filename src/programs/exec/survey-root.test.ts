import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createContentGate } from '../../contracts/content-gate.ts';
import { rawPath } from '../../lib/files/raw-fs.ts';
import { withholdPlanted } from './mask-sources.ts';
import { createSurveyor } from './survey-root.ts';

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
  createSurveyor(createContentGate(entries.length === 0 ? {} : { work: entries }).isProtected);

describe('createSurveyor()', () => {
  it('ends with the call that it is for', async () => {
    put('a/b/c');
    let nowMs = 0;
    // Each look at the clock finds that a slow disk took its time.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1000));
    try {
      const ended = surveyor()('work', dir, 'mask', AbortSignal.abort(new Error('out of time')));
      await expect(ended).rejects.toThrow('out of time');
      expect((await surveyor()('work', dir, 'mask', new AbortController().signal)).files).toEqual(
        [],
      );
    } finally {
      clock.mockRestore();
    }
  });

  it('finds protected files and folders, repositories and what is not a file', async () => {
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

  it('finds the folders in which git keeps content', async () => {
    const hash = 'a'.repeat(38);
    for (const path of [
      ...['.git/HEAD', '.git/objects/info/alternates', '.git/refs/x', '.git/lfs/objects/x'],
      ...['bare/HEAD', 'bare/objects/x', 'bare/refs/x', 'bare/modules/x/HEAD'],
      ...[`store/ab/${hash}`, `packs/pack-${'b'.repeat(40)}.pack`, 'src/objects/a.ts'],
    ])
      put(path);
    put('other/pack/x');
    writeFileSync(join(dir, '.git/objects/info/alternates'), '../../other\n');
    const { stores } = await surveyor()('work', dir);
    expect(stores.sort()).toEqual([
      ...['.git/lfs', '.git/objects', 'bare/modules', 'bare/objects'],
      ...['other', 'packs', 'store/ab'],
    ]);
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
      fixed: [],
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

describe('createSurveyor(), against a program that hides', () => {
  it('reads a folder again whose time was set back', async () => {
    put('sub/plain.txt');
    const survey = surveyor();
    // A time of a moment ago is not trusted, and the clock of ctime cannot be set.
    const age = () => Date.now() - statSync(join(dir, 'sub')).ctimeMs;
    await vi.waitUntil(() => age() > 50, { interval: 5 });
    const before = await survey('work', dir);
    await survey('work', dir);
    const { mtime, atime } = statSync(join(dir, 'sub'));
    put('sub/.npmrc');
    utimesSync(join(dir, 'sub'), atime, mtime);
    const after = await survey('work', dir, 'compare');
    expect(withholdPlanted(dir, before, after)).toEqual(['sub/.npmrc']);
    expect(existsSync(join(dir, 'sub/.npmrc'))).toBe(false);
  });

  it('finds and withholds what lies below a name that is not UTF-8', async () => {
    const survey = surveyor();
    const before = await survey('work', dir);
    const put = (path: string) => {
      mkdirSync(rawPath(dirname(join(dir, path))), { recursive: true });
      writeFileSync(rawPath(join(dir, path)), 'x');
    };
    for (const path of ['.env\udcff', 'd\udcff/.git/config', 'd\udcfe/e/.env', 'd\ufffd/plain'])
      put(path);
    symlinkSync(rawPath('d\udcff/target'), join(dir, '.npmrc'));
    put('d\udcff/target');
    const { files, repositories } = await survey('work', dir);
    const withheld = ['.env\udcff', 'd\udcfe/e/.env', 'd\udcff/.git/config', 'd\udcff/target'];
    expect(files.sort()).toEqual(withheld);
    expect(repositories).toEqual(['d\udcff/.git']);
    const after = await survey('work', dir, 'compare');
    expect(withholdPlanted(dir, before, after)).toEqual([
      ...['.env\udcff', '.npmrc', 'd\udcfe/e/.env', 'd\udcff/.git'],
    ]);
    expect((await survey('work', dir)).repositories).toEqual([]);
  });

  it('masks nothing where a folder is no longer what was listed, and names it', async () => {
    put('a/plain');
    put('b/.env');
    // Asked about `a`, which is looked into later, another program has moved `b` already.
    const moving = createSurveyor((path) => {
      if (path === 'b' && existsSync(join(dir, 'b'))) renameSync(join(dir, 'b'), join(dir, 'c'));
      return path.endsWith('.env');
    });
    await expect(moving('work', dir)).rejects.toMatchObject({
      tag: 'conflict',
      message: expect.stringContaining('work:b went away'),
    });
    expect((await moving('work', dir)).files).toEqual(['c/.env']);
  });

  it('masks what is too deep to be looked into', async () => {
    const name = 'd'.repeat(200);
    execFileSync(
      'sh',
      ['-c', `for i in $(seq 25); do mkdir ${name} && cd -P ${name}; done; echo x > .env`],
      { cwd: dir },
    );
    const { folders } = await surveyor()('work', dir);
    expect(folders).toHaveLength(1);
    expect(folders[0]?.startsWith(`${name}/${name}`)).toBe(true);
  });

  it('masks and withholds what git obeys in a folder of any name', async () => {
    for (const each of ['HEAD', 'objects/a', 'refs/a', 'config', 'hooks/x']) put(`store/${each}`);
    const survey = surveyor();
    const before = await survey('work', dir);
    expect({ files: before.files, folders: before.folders }).toEqual({
      files: ['store/config'],
      folders: ['store/hooks'],
    });
    for (const each of ['HEAD', 'objects/a', 'refs/a', 'config']) put(`src/${each}`);
    for (const each of ['HEAD', 'commondir']) put(`lib/${each}`);
    // Others share it by their commondir, and it needs no HEAD then.
    for (const each of ['objects/a', 'refs/a', 'config']) put(`shared/${each}`);
    // No repository without any of them.
    for (const each of ['HEAD', 'objects/a', 'config']) put(`game/${each}`);
    const after = await survey('work', dir, 'compare');
    expect(withholdPlanted(dir, before, after)).toEqual([
      'lib/commondir',
      'shared/config',
      'src/config',
    ]);
  });

  it('does so in any case, for a file system that takes each for the same name', async () => {
    for (const each of ['Objects/a', 'REFS/a', 'Config', 'hooKs/x']) put(`store/${each}`);
    const { files, folders } = await surveyor()('work', dir);
    expect({ files, folders }).toEqual({ files: ['store/Config'], folders: ['store/hooKs'] });
  });

  it.skipIf(process.getuid?.() === 0)('masks what it may not list', async () => {
    put('keys/server.pem');
    chmodSync(join(dir, 'keys'), 0o300);
    expect((await surveyor()('work', dir)).folders).toEqual(['keys']);
    chmodSync(join(dir, 'keys'), 0o700);
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
