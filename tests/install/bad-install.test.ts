import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Cuervo, cuervoAt, makeWorkspace, storyModel } from './support/use-installed.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-bad-install-')));
const question = 'where is the retry limit set?';
const tarball = inject('tarballs').cuervo;

/** Into a project, without the optional packages: those take the time. */
const words = (folder: string, file: string): string[] => [
  ...['install', '--prefix', folder, '--prefer-offline', '--omit=optional', file],
];
const npm = (folder: string, file: string) => {
  mkdirSync(folder, { recursive: true });
  return spawnSync('npm', words(folder, file), { encoding: 'utf8' });
};
const programOf = (folder: string): string => join(folder, 'node_modules/.bin/cuervo');
const env = {
  HOME: dir,
  CUERVO_HOME: join(dir, 'home'),
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
};
const at = (prefix: string, start: readonly string[] = []): Cuervo =>
  cuervoAt([...start, programOf(prefix)], { cwd: makeWorkspace(join(dir, 'work')), env });

beforeAll(() => {
  const { status, stderr } = npm(join(dir, 'bare'), tarball);
  expect(status, stderr).toBe(0);
}, 300_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('an installation that something is wrong with', () => {
  it('leaves no command behind where half of the tarball is there', () => {
    const half = join(dir, 'half.tgz');
    const bytes = readFileSync(tarball);
    writeFileSync(half, bytes.subarray(0, bytes.length / 2));
    const prefix = join(dir, 'half');
    expect(npm(prefix, half).status).not.toBe(0);
    expect(existsSync(programOf(prefix))).toBe(false);
  });

  it('goes into a home by the commands of the page, where the folder of npm is closed', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/install.md'), 'utf8');
    const commands = /fails with `EACCES`[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const own = join(dir, 'person');
    mkdirSync(own);
    copyFileSync(tarball, join(own, 'cuervo-0.1.0.tgz'));
    chmodSync(dir, 0o755);
    const isRoot = process.getuid?.() === 0;
    if (isRoot)
      for (const path of ['', 'cuervo-0.1.0.tgz']) chownSync(join(own, path), 40_001, 40_001);
    const person = {
      ...{ cwd: own, encoding: 'utf8' as const, ...(isRoot ? { uid: 40_001, gid: 40_001 } : {}) },
      // Nothing that npm tells the scripts of this run: it would write the settings of who runs them.
      env: {
        ...{ HOME: own, PATH: '/usr/bin:/bin', npm_config_omit: 'optional' },
        NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
      },
    } as const;
    const asked = spawnSync('npm', ['install', '-g', './cuervo-0.1.0.tgz'], person);
    expect(asked.stderr).toContain('EACCES');
    const done = spawnSync('/bin/sh', ['-euc', commands], person);
    expect(done.status, done.stderr).toBe(0);
    const ran = spawnSync(join(own, '.local/bin/cuervo'), ['--version'], person);
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('works where two were at it at once', async () => {
    const prefix = join(dir, 'twice');
    mkdirSync(prefix);
    const both = [0, 1].map(() => spawn('npm', words(prefix, tarball), { stdio: 'ignore' }));
    await Promise.all(both.map((child) => once(child, 'close')));
    // npm may have refused the one; it repairs what is there.
    expect(npm(prefix, tarball).status).toBe(0);
    expect(at(prefix)(['ask', question])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('retryLimit = 3'),
    });
  });

  it('answers without optional packages, and names the one that is missing', () => {
    const cuervo = at(join(dir, 'bare'));
    expect(cuervo(['ask', question])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('retryLimit = 3'),
    });
    expect(cuervo(['index'])).toMatchObject({
      status: 7,
      stderr: expect.stringMatching(/memory tables .* not installed\nhint: .*--include=optional/),
    });
  });

  it.skipIf(storyModel === undefined)(
    'names the package of GGUF models (CUERVO_TEST_MODELS)',
    () => {
      const cuervo = at(join(dir, 'bare'));
      expect(cuervo(['ask', '--model', storyModel ?? '', question])).toMatchObject({
        status: 7,
        stderr: expect.stringMatching(
          /@node-llama-cpp\/\S+ is not installed\nhint: .*--include=opt/,
        ),
      });
    },
  );

  const alone = ['unshare', '--map-root-user', '--net', '--mount'];
  const hasNamespaces = spawnSync('unshare', [...alone.slice(1), 'true']).status === 0;
  it.skipIf(!hasNamespaces)(
    'answers from a read-only prefix without a network (needs: user namespaces)',
    () => {
      const prefix = join(dir, 'bare');
      const script =
        'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
      const cuervo = at(prefix, [...alone, 'sh', '-c', script, 'sh', prefix]);
      expect(cuervo(['ask', question])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('retryLimit = 3'),
      });
      const wrote = spawnSync(
        alone[0] as string,
        [...alone.slice(1), 'sh', '-c', script, 'sh', prefix, 'touch', join(prefix, 'file')],
        { encoding: 'utf8' },
      );
      expect(wrote.stderr).toContain('Read-only file system');
    },
  );
});
