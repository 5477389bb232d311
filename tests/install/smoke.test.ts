import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Cuervo, cuervoAt, makeWorkspace, uses } from './support/use-installed.ts';

const root = resolve(import.meta.dirname, '../..');
const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-install-')));
const prefix = join(dir, 'prefix');
const installed = join(prefix, 'lib/node_modules/cuervo');
const home = join(dir, 'home');
const tarballs = inject('tarballs');
let cuervo: Cuervo;

beforeAll(() => {
  const words = ['install', '--global', '--prefix', prefix, '--prefer-offline', tarballs.cuervo];
  const { status, stderr } = spawnSync('npm', words, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const env = {
    HOME: dir,
    CUERVO_HOME: home,
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  };
  const cwd = makeWorkspace(join(dir, 'work'));
  cuervo = cuervoAt([join(prefix, 'bin/cuervo')], { cwd, env });
}, 300_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the tarball, installed by npm', () => {
  it.each(uses())('$name', ({ words, prints }) => {
    const { status, stdout, stderr } = cuervo(words);
    expect({ status, stderr, stdout: prints.test(stdout) ? '' : stdout }).toMatchObject({
      status: 0,
      stdout: '',
    });
  });

  it('finds every built-in plugin whole, and what protects people', () => {
    const { stdout } = cuervo(['doctor']);
    expect(
      stdout.match(/plugin \w+: .* built in, .* its files are what the lock says/g),
    ).toHaveLength(readdirSync(join(root, 'plugins')).length);
    expect(stdout).toMatch(/^ok {4}plugin process: a probe read its own file/m);
  });

  it('names the command that brings a part it is installed without', () => {
    const plugin = join(root, 'examples/plugins/wordcount');
    const { status, stderr } = cuervo(['plugin', 'build', plugin, '-o', join(dir, 'a.wasm')]);
    expect({ status, stderr }).toMatchObject({
      status: 7,
      stderr: expect.stringContaining('Run: cuervo add build'),
    });
  });

  it('has no script that runs at the install, and nothing but native code beside it', () => {
    const modules = join(installed, 'node_modules');
    const packages = readdirSync(modules)
      .filter((name) => !name.startsWith('.'))
      .flatMap((scope) =>
        readdirSync(join(modules, scope)).map((name) => join(modules, scope, name)),
      );
    expect(packages.length).toBeGreaterThan(2);
    for (const folder of [installed, ...packages]) {
      const { scripts = {}, dependencies = {} } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      );
      for (const name of ['preinstall', 'install', 'postinstall'])
        expect(scripts, folder).not.toHaveProperty(name);
      expect(dependencies, folder).toEqual({});
    }
  });

  it('brings the licences of what it was bundled from', () => {
    const text = readFileSync(join(installed, 'dist/THIRD-PARTY.txt'), 'utf8');
    for (const name of ['apache-arrow', 'better-sqlite3', 'node-llama-cpp', 'valibot', 'commander'])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('holds no file of tests and no path of the folder it was packed in', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !path.startsWith('node_modules'),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((path) => path.includes('.test.'))).toEqual([]);
    const holding = files
      .filter(
        (path) => /\.(?:c?js|json|d\.m?ts|txt)$/.test(path) && existsSync(join(installed, path)),
      )
      .filter((path) => readFileSync(join(installed, path), 'utf8').includes(root));
    expect(holding).toEqual([]);
  });
});
