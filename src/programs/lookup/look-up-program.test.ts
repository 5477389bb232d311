import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookUpProgram, type ProgramSearch } from './look-up-program.ts';

let dir: string;
let work: string;
let told: string[];
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-lookup-')));
  work = join(dir, 'work');
  told = [];
  for (const folder of ['work', 'cuervo']) mkdirSync(join(dir, folder));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(path: string, text = '#!/bin/sh\n', mode = 0o755): string {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function link(to: string, path: string): void {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(to, file);
}

const look = (name: string, more: Partial<ProgramSearch> = {}) =>
  lookUpProgram(name, {
    folders: { work },
    cwd: 'work:',
    isReader: (each) => each === 'ls' || each === 'git',
    isProtected: (path) => path.endsWith('.env'),
    userPath: undefined,
    withheld: [join(dir, 'cuervo')],
    warn: (text) => told.push(text),
    ...more,
  });
/** With entries of `PATH` below the folder of the test. */
const onPath = (...entries: string[]): Partial<ProgramSearch> => ({
  userPath: entries.map((entry) => join(dir, entry)),
});
const refused = (tag: string, words: string) =>
  expect.objectContaining({ tag, message: expect.stringContaining(words) });

/** A Python of the user's, as far as its layout goes. */
function putPython(prefix: string): void {
  put(`${prefix}/lib/python3.11/os.py`);
  put(`${prefix}/etc/secret`);
  put(`${prefix}/bin/python3`);
}

describe('lookUpProgram() of a reader', () => {
  it('takes the program of the system, whatever the workspace or PATH holds', () => {
    for (const folder of ['work/node_modules/.bin', 'work/.venv/bin', 'tools']) {
      for (const name of ['ls', 'git', 'other']) put(`${folder}/${name}`);
    }
    for (const name of ['ls', 'git']) {
      const found = look(name, onPath('tools'));
      expect(found).toMatchObject({ replaceable: false });
      expect(found.path).toMatch(/^\/(usr\/)?bin\//);
      expect([found.own, found.around]).toEqual([undefined, undefined]);
    }
    // control: another name is found there
    expect(look('other').path).toBe(join(work, '.venv/bin/other'));
  });
});

describe('lookUpProgram() in a workspace', () => {
  it('takes .venv/bin and node_modules/.bin, the nearest first, before the system', () => {
    put('work/node_modules/.bin/tsc');
    put('work/packages/a/node_modules/.bin/tsc');
    const own = { from: 'workspace', below: { root: 'work', path: 'node_modules/.bin/tsc' } };
    expect(look('tsc')).toMatchObject({ own });
    expect(look('tsc', { cwd: 'work:packages/a' }).own?.below?.path).toBe(
      'packages/a/node_modules/.bin/tsc',
    );
    put('work/.venv/bin/tsc');
    expect(look('tsc').own?.below?.path).toBe('.venv/bin/tsc');
  });

  it('takes an activated environment that lies in the root, and none elsewhere', () => {
    put('work/env/bin/pytest');
    put('elsewhere/bin/pytest');
    expect(() => look('pytest')).toThrow(refused('not-found', 'is not installed'));
    const elsewhere = { virtualEnv: join(dir, 'elsewhere') };
    expect(() => look('pytest', elsewhere)).toThrow(refused('not-found', 'is not installed'));
    expect(look('pytest', { virtualEnv: join(work, 'env') }).own?.below?.path).toBe(
      'env/bin/pytest',
    );
  });

  it('tells the digest of the file, and another one when it changed', () => {
    put('work/.venv/bin/pytest', 'one');
    const one = look('pytest').own?.sha256;
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    put('work/.venv/bin/pytest', 'two');
    expect(look('pytest').own?.sha256).not.toBe(one);
  });

  it('says what stands in for a program of the system', () => {
    put('work/node_modules/.bin/sh');
    put('work/node_modules/.bin/tsc');
    expect(look('sh').own?.standsIn).toBe(true);
    expect(look('tsc').own?.standsIn).toBe(false);
    link('/bin/sh', 'work/.venv/bin/sh');
    expect(look('sh').own?.standsIn).toBe(false);
  });

  it('shows the Python behind an environment, and of its installation what is loaded', () => {
    putPython('pythons/3.11');
    put('work/.venv/pyvenv.cfg');
    link(join(dir, 'pythons/3.11/bin/python3'), 'work/.venv/bin/python3');
    put('work/.venv/bin/pytest');
    const prefix = join(dir, 'pythons/3.11');
    for (const name of ['pytest', 'python3']) {
      const reads = look(name).around?.flatMap((each) => each.reads);
      expect(reads).toEqual([join(prefix, 'bin'), join(prefix, 'lib')]);
    }
  });

  it('refuses an environment whose Python is gone, or is none', () => {
    put('work/.venv/pyvenv.cfg');
    put('work/.venv/bin/pytest');
    link(join(dir, 'gone/bin/python3'), 'work/.venv/bin/python3');
    expect(() => look('pytest')).toThrow(refused('denied', 'the Python of .venv is gone'));
    put('gone/bin/python3');
    put('gone/secret');
    expect(() => look('pytest')).toThrow(refused('denied', 'is not an installation of Python'));
    // A program that is not of the environment is none of its business.
    expect(look('sh').around?.flatMap((each) => each.reads)).toEqual([]);
  });

  it('refuses what leads out of the root, and a link in a circle', () => {
    put('elsewhere/bin/pytest');
    link(join(dir, 'elsewhere'), 'work/.venv');
    expect(() => look('pytest')).toThrow(refused('denied', '.venv is a link out of the workspace'));
    expect(look('sh').own).toBeUndefined();
    put('elsewhere/secret');
    link(join(dir, 'elsewhere/secret'), 'work/node_modules/.bin/tsc');
    expect(() => look('tsc')).toThrow(refused('denied', 'is a link out of the workspace'));
    link('loop', 'work/node_modules/.bin/loop');
    expect(() => look('loop')).toThrow(refused('denied', 'leads in a circle'));
  });

  it('takes a file of the workspace by its path, and nothing above or outside', () => {
    put('work/android/gradlew');
    put('outside');
    link(join(dir, 'outside'), 'work/linked');
    expect(look('./android/gradlew').own?.below?.path).toBe('android/gradlew');
    expect(look('./gradlew', { cwd: 'work:android' }).own?.below?.path).toBe('android/gradlew');
    put('work/.env');
    link('../../.env', 'work/node_modules/.bin/env-reader');
    for (const name of ['./.env', 'env-reader']) {
      expect(() => look(name)).toThrow(refused('denied', 'is protected'));
    }
    expect(() => look('./none')).toThrow(refused('not-found', 'not an executable file'));
    expect(() => look('../outside')).toThrow(refused('not-found', 'not an executable file'));
    expect(() => look('./linked')).toThrow(refused('denied', 'a link out of the workspace'));
    expect(() => look(join(work, 'android/gradlew'))).toThrow(refused('invalid', 'neither a name'));
  });
});

describe('lookUpProgram() on the PATH of the user', () => {
  it('looks there before the system, and only where that was said', () => {
    put('tools/mine');
    expect(() => look('mine')).toThrow(refused('not-found', 'is not installed'));
    const found = look('mine', onPath('tools'));
    expect(found).toMatchObject({ path: join(dir, 'tools/mine'), own: { from: 'user' } });
    expect(found.around).toMatchObject([{ reads: [join(dir, 'tools')] }]);
  });

  it('never looks in entries that are relative, or that others may write, and says so', () => {
    put('open/mine');
    chmodSync(join(dir, 'open'), 0o777);
    const userPath = ['open', '', '.', join(dir, 'open')];
    expect(() => look('mine', { userPath })).toThrow(refused('not-found', 'is not installed'));
    expect(told.join('\n')).toMatch(/"open" is relative.*\n.*"\." is relative.*\n.*everybody/);
    chmodSync(join(dir, 'open'), 0o755);
    expect(look('mine', { userPath }).path).toBe(join(dir, 'open/mine'));
  });

  it('never looks where a plugin may write, or in the home of cuervo', () => {
    put('work/bin/mine');
    put('cuervo/bin/mine');
    const there = onPath('work/bin', 'cuervo/bin');
    expect(() => look('mine', there)).toThrow(refused('not-found', 'is not installed'));
    link(join(work, 'bin/mine'), 'tools/mine');
    expect(() => look('mine', onPath('tools'))).toThrow(refused('not-found', 'is not installed'));
  });

  it('shows what the programs of an installation load, and the targets of its links', () => {
    put('nvm/v20/lib/node_modules/npm/cli.js');
    put('nvm/v20/etc/npmrc');
    put('nvm/v20/bin/node');
    link('../lib/node_modules/npm/cli.js', 'nvm/v20/bin/npm');
    const reads = [join(dir, 'nvm/v20/bin'), join(dir, 'nvm/v20/lib')];
    expect(look('npm', onPath('nvm/v20/bin')).around).toMatchObject([{ reads }]);
    put('pipx/black/pyvenv.cfg');
    put('pipx/black/bin/black');
    link(join(dir, 'pipx/black/bin/black'), 'local/black');
    expect(look('black', onPath('local')).around?.[0]?.reads).toEqual([
      ...[join(dir, 'local'), join(dir, 'pipx/black/bin'), join(dir, 'pipx/black/pyvenv.cfg')],
    ]);
  });

  it('shows the packages of pip install --user, and nothing else of that folder', () => {
    vi.stubEnv('HOME', dir);
    onTestFinished(() => void vi.unstubAllEnvs());
    put('.local/bin/pytest');
    put('.local/lib/python3.11/site-packages/pytest/__init__.py');
    put('.local/lib/mail/letters');
    put('.local/share/keyrings/login');
    const reads = [join(dir, '.local/bin'), join(dir, '.local/lib/python3.11')];
    expect(look('pytest', onPath('.local/bin')).around).toMatchObject([{ reads }]);
  });

  it.each([
    ['pyenv', '.python-version', '3.11\n', '.pyenv/versions/3.11.7/bin/tool'],
    ['nodenv', '.node-version', '20.1.0\n', '.nodenv/versions/20.1.0/bin/tool'],
  ])('finds what a shim of %s stands for', (kind, file, text, wanted) => {
    put(`.${kind}/shims/tool`, `#!/bin/sh\nexec ${kind} exec tool "$@"\n`);
    put(wanted);
    put(wanted.replace(/[^/]+\/bin/, '1.0.0/bin'));
    writeFileSync(join(work, file), text);
    expect(look('tool', onPath(`.${kind}/shims`)).real).toBe(join(dir, wanted));
    writeFileSync(join(work, file), '../../elsewhere\n');
    put('elsewhere/bin/tool');
    const shim = `is a shim in ${join(dir, `.${kind}/shims`)}, and no installed version`;
    expect(() => look('tool', onPath(`.${kind}/shims`))).toThrow(refused('not-found', shim));
    const nowhere = refused('not-found', 'nor in a folder of your PATH');
    expect(() => look('nonesuch', onPath(`.${kind}/shims`))).toThrow(nowhere);
    put(`.${kind}/version`, '1.0.0\n');
    rmSync(join(work, file));
    expect(look('tool', onPath(`.${kind}/shims`)).real).toContain('/1.0.0/bin/tool');
  });

  it('finds what shims of asdf and mise stand for', () => {
    put('.asdf/shims/tool');
    put('.asdf/installs/nodejs/18.0.0/bin/tool');
    put('.asdf/installs/nodejs/20.1.0/bin/tool');
    const real = () => look('tool', onPath('.asdf/shims')).real;
    expect(real()).toContain('/20.1.0/');
    put('work/.tool-versions', 'ruby 3\nnodejs 18.0.0 # old\n', 0o644);
    expect(real()).toContain('/18.0.0/');
    rmSync(join(work, '.tool-versions'));
    put('work/mise.toml', '[tools]\nnode = "18"\n', 0o644);
    expect(real()).toContain('/18.0.0/');
  });

  it('finds what a proxy of rustup stands for, and no proxy itself', () => {
    put('.cargo/bin/rustup', '#!/bin/sh\n# rustup\n');
    for (const name of ['cargo', 'clippy']) link('rustup', `.cargo/bin/${name}`);
    put('.cargo/bin/cargo-nextest');
    for (const version of ['stable-x86_64-unknown-linux-gnu', '1.70.0-x86_64-unknown-linux-gnu'])
      put(`.rustup/toolchains/${version}/bin/cargo`);
    const real = (name: string) => look(name, onPath('.cargo/bin')).real;
    expect(real('cargo')).toContain('/toolchains/stable-');
    put('work/rust-toolchain.toml', '[toolchain]\nchannel = "1.70.0"\n', 0o644);
    expect(real('cargo')).toContain('/toolchains/1.70.0-');
    expect(real('cargo-nextest')).toContain('/.cargo/bin/');
    expect(() => real('clippy')).toThrow(refused('not-found', 'is a shim in'));
  });

  it('refuses a shim that leads back to itself', () => {
    put('.pyenv/shims/tool');
    put('.pyenv/version', '3.11\n');
    link(join(dir, '.pyenv/shims/tool'), '.pyenv/versions/3.11/bin/tool');
    expect(() => look('tool', onPath('.pyenv/shims'))).toThrow(
      refused('denied', 'leads back to itself'),
    );
    copyFileSync('/bin/true', put('.pyenv/versions/3.11/bin/other'));
    expect(look('other', onPath('.pyenv/shims')).real).toContain('/3.11/bin/other');
  });
});
