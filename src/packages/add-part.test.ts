import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  lockOf,
  type Manner,
  openRegistry,
  packPackage,
  type Registry,
} from '../../tests/support/open-registry.ts';
import { processHolder } from '../lib/files/lock-file.ts';
import { addedPackage, checkPartFolder } from '../lib/parts/optional-part.ts';
import { type LockedPackage, partLock } from '../lib/parts/part-lock.ts';
import { thisSystem } from '../lib/parts/parts.ts';
import { addPart, listParts, removePart } from './add-part.ts';
import { fetchTarball } from './fetch-tarball.ts';
import { readNpmConfig } from './registry.ts';
import { takeTarball } from './unpack-tarball.ts';

let dir = '';
let registry: Registry;
beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-add-')));
  registry = await openRegistry();
});
afterEach(async () => {
  rmSync(dir, { recursive: true });
  await registry[Symbol.asyncDispose]();
});

const noise = (seed: string): string =>
  Array.from({ length: 400 }, (_, at) =>
    createHash('sha512').update(`${seed}${at}`).digest('hex'),
  ).join();

/** The part "sentence" as two packages, the second of them begun only when the first is whole. */
const packages = ['@huggingface/transformers', 'second'].map((name) =>
  packPackage(name, { 'dist/transformers.node.mjs': noise(name), 'package/x.js': 'x' }),
);
const locks = { sentence: packages.map(({ wanted }) => wanted) };
const system = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;
const lock = partLock('sentence', system, locks);
const places = () => ({ root: join(dir, 'program'), packages: join(dir, 'packages') });
const folder = () => join(dir, 'packages', lock.folder);

async function add(bring = fromRegistry()): Promise<void> {
  for (const { wanted, bytes } of packages) registry.add(wanted, bytes);
  const signal = new AbortController().signal;
  await addPart(lock, { places: places(), system, bring: await bring, signal });
}

async function fromRegistry(came: (count: number) => void = () => {}) {
  const options = await readNpmConfig({
    HOME: dir,
    npm_config_registry: registry.url,
    npm_config_fetch_retries: '0',
    // A busy machine may be silent for longer than a test should wait for one that hangs.
    ...(registry.manner === 'hang' ? { npm_config_fetch_timeout: '400' } : {}),
  });
  const signal = new AbortController().signal;
  return (wanted: LockedPackage, path: string) =>
    fetchTarball(wanted, path, { registry: options, signal, onBytes: came });
}

const thrown = (work: Promise<unknown>): Promise<{ code: string; message: string; hint: string }> =>
  work.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error) => error,
  );

describe('addPart()', () => {
  it('brings what the lock says, and nothing of the try stays', async () => {
    await add();
    expect(readdirSync(places().packages)).toEqual([lock.folder]);
    expect(() => checkPartFolder(folder(), 'sentence')).not.toThrow();
    expect(listParts(places(), system, locks)[0]).toMatchObject({
      name: 'sentence',
      state: 'added',
    });
    expect(removePart('sentence', places())).toBe(true);
    expect(readdirSync(places().packages)).toEqual([]);
    expect(removePart('sentence', places())).toBe(false);
  });

  it.each<[Manner, string, string]>([
    ['missing', 'unavailable', '404'],
    ['cut', 'unavailable', 'could not be downloaded'],
    ['hang', 'unavailable', 'no data came for 0.4 s'],
    ['lie', 'plugin-fault', 'gave other bytes as '],
    ['longer', 'plugin-fault', 'not the package that cuervo was tested with'],
  ])('installs nothing from a registry of this manner: %s', async (manner, code, words) => {
    registry.manner = manner;
    const error = await thrown(add());
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(existsSync(folder())).toBe(false);
    expect(listParts(places(), system, locks)[0]).toMatchObject({ state: 'absent' });
    registry.manner = 'whole';
    await add();
    expect(() => checkPartFolder(folder(), 'sentence')).not.toThrow();
  });

  it('follows a registry that sends elsewhere', async () => {
    registry.manner = 'redirect';
    await add();
    expect(registry.asked.some((path) => path.startsWith('/moved'))).toBe(true);
  });

  it('goes on where a download was cut off, and begins anew where that was another file', async () => {
    registry.manner = 'cut';
    await thrown(add());
    registry.manner = 'whole';
    registry.asked.length = 0;
    await add();
    expect(registry.asked[0]).toMatch(/transformers-1\.0\.0\.tgz bytes=\d+-$/);
    removePart('sentence', places());
    registry.manner = 'cut';
    await thrown(add());
    const partial = join(places().packages, `.partial-${lock.folder}`);
    const begun = readdirSync(partial).find((name) => name.endsWith('.part')) ?? '';
    writeFileSync(join(partial, begun), 'something else');
    registry.manner = 'whole';
    await add();
    expect(() => checkPartFolder(folder(), 'sentence')).not.toThrow();
  });

  it('keeps the packages that came whole', async () => {
    const bring = await fromRegistry();
    const failing = async (wanted: LockedPackage, path: string): Promise<void> => {
      if (wanted.name === 'second') registry.manner = 'missing';
      await bring(wanted, path);
    };
    await thrown(add(Promise.resolve(failing)));
    registry.manner = 'whole';
    registry.asked.length = 0;
    await add();
    expect(registry.asked).toEqual(['/second/-/second-1.0.0.tgz']);
  });

  it('takes tarballs from a folder, and refuses others of the same name', async () => {
    const signal = new AbortController().signal;
    const take = (wanted: LockedPackage, path: string) => takeTarball(wanted, path, [dir]);
    const run = () => addPart(lock, { places: places(), system, bring: take, signal });
    expect(await thrown(run())).toMatchObject({ code: 'not-found' });
    const files = ['huggingface-transformers-1.0.0.tgz', 'second-1.0.0.tgz'];
    for (const [at, name] of files.entries())
      writeFileSync(join(dir, name), packages[at]?.bytes ?? '');
    appendFileSync(join(dir, 'second-1.0.0.tgz'), 'x');
    expect(await thrown(run())).toMatchObject({ code: 'plugin-fault' });
    writeFileSync(join(dir, 'second-1.0.0.tgz'), packages[1]?.bytes ?? '');
    await run();
    expect(registry.asked).toEqual([]);
  });

  it('waits for nobody: names the first process to a second one, and takes over from a dead one', async () => {
    await add();
    const path = join(places().packages, '.lock-sentence');
    writeFileSync(path, processHolder());
    expect(await thrown(add())).toMatchObject({
      code: 'unavailable',
      message: `another process (${process.pid}) is at adding sentence`,
    });
    const space = processHolder().split(' ').at(-1);
    writeFileSync(path, `4194305 1 ${space}`);
    await add();
  });

  it('replaces what another version of cuervo brought', async () => {
    await add();
    const newer = packPackage('@huggingface/transformers', { 'package/x.js': 'newer' });
    const other = { sentence: [newer.wanted] };
    expect(listParts(places(), system, other)[0]).toMatchObject({ state: 'other' });
    expect(() => addedPackage(places().packages, 'sentence', 'second', other)).toThrow(
      'belongs to another version of cuervo',
    );
    const next = partLock('sentence', system, other);
    registry.add(newer.wanted, newer.bytes);
    const signal = new AbortController().signal;
    await addPart(next, { places: places(), system, bring: await fromRegistry(), signal });
    expect(readdirSync(places().packages)).toEqual([next.folder]);
  });

  it.each([
    ['a link', 'is a SymbolicLink'],
    ['a path above', 'is outside of the package'],
  ])('refuses a tarball with %s', async (kind, words) => {
    const from = join(dir, 'package');
    const file = join(dir, 'bad.tgz');
    await import('node:fs').then(({ mkdirSync }) => mkdirSync(from));
    writeFileSync(join(from, 'x.js'), 'x');
    if (kind === 'a link') symlinkSync('/etc/passwd', join(from, 'link'));
    const prefix = kind === 'a link' ? {} : { prefix: 'package/../..', preservePaths: true };
    create({ file, cwd: dir, gzip: true, sync: true, ...prefix }, ['package']);
    const bytes = await import('node:fs').then(({ readFileSync }) => readFileSync(file));
    const wanted = lockOf('bad', bytes);
    const bad = partLock('sentence', system, { sentence: [wanted] });
    const bring = async (_: LockedPackage, path: string) => writeFileSync(path, bytes);
    const signal = new AbortController().signal;
    const error = await thrown(addPart(bad, { places: places(), system, bring, signal }));
    expect(error).toMatchObject({ code: 'plugin-fault', message: expect.stringContaining(words) });
    expect(readdirSync(places().packages).filter((name) => !name.startsWith('.'))).toEqual([]);
  });
});

describe('checkPartFolder()', () => {
  const inside = () => join(folder(), 'node_modules/second/package/x.js');

  it('refuses a changed file, also one with its old times', async () => {
    await add();
    writeFileSync(inside(), 'y');
    utimesSync(inside(), 1, 1);
    expect(() => checkPartFolder(folder(), 'sentence')).toThrow('x.js was changed');
    rmSync(inside());
    expect(() => checkPartFolder(folder(), 'sentence')).toThrow('x.js is missing');
  });

  it('takes the same bytes in another file, and keeps its stamp', async () => {
    await add();
    writeFileSync(inside(), 'x');
    expect(() => checkPartFolder(folder(), 'sentence')).not.toThrow();
    expect(() => checkPartFolder(folder(), 'sentence')).not.toThrow();
  });

  it.skipIf(process.getuid === undefined)('refuses a folder that others can write', async () => {
    await add();
    chmodSync(folder(), 0o777);
    expect(() => checkPartFolder(folder(), 'sentence')).toThrow('can be written by everybody');
  });
});

describe('readNpmConfig()', () => {
  it('reads the file of the user and the variables, and no project', async () => {
    writeFileSync(
      join(dir, '.npmrc'),
      'registry=https://one.example/\n@a:registry=https://two.example/\n',
    );
    expect(await readNpmConfig({ HOME: dir })).toMatchObject({
      registry: 'https://one.example/',
      '@a:registry': 'https://two.example/',
    });
    const { registry: named } = await readNpmConfig({
      HOME: dir,
      npm_config_registry: 'https://three.example/',
    });
    expect(named).toBe('https://three.example/');
  });
});

describe('findPartLock()', () => {
  it.each(['sentence', 'gpu', 'node'] as const)('refuses %s on musl by name', (part) => {
    const musl = { os: 'linux', cpu: 'x64', libc: 'musl' } as const;
    expect(() => partLock(part, musl)).toThrow(`${part} cannot be added: there is no build of`);
  });

  it('has every part for the systems that it is for', () => {
    expect(thisSystem().os).toBe(process.platform);
    for (const part of ['sentence', 'build', 'gpu', 'node'] as const)
      expect(partLock(part, system).packages.length).toBeGreaterThan(0);
    expect(partLock('musl', { os: 'linux', cpu: 'x64', libc: 'musl' }).packages).toHaveLength(1);
    expect(() => partLock('gpu', { os: 'darwin', cpu: 'arm64' })).toThrow(
      'no build for this system',
    );
  });
});
