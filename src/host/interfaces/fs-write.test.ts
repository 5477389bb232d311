import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KernelError } from '../../contracts/error.ts';
import type { ChangeKeeper, FileChange } from '../../contracts/file-changes.ts';
import { sha256 } from '../../lib/sha256.ts';
import { createFsWriteServices } from './fs-write.ts';

let folder = '';
let work = '';
let changes: Omit<FileChange, 'ts'>[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fs-write-'));
  work = join(folder, 'work');
  mkdirSync(work);
  changes = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keeper: ChangeKeeper = {
  keep: sha256,
  record: (change, make) => {
    make();
    changes.push(change);
  },
};

type FsWriteCall = 'write-text' | 'write-bytes' | 'create-dir' | 'rename' | 'remove';

function openServices(more: Partial<ChangeKeeper> = {}, roots = () => ({ work })) {
  const services = createFsWriteServices({
    requireWritable: async () => {},
    authorize: async () => ({ roots: roots() }),
    protectedPaths: { work: ['state/home'] },
    runnerOf: () => undefined,
    keeper: async () => ({ ...keeper, ...more }),
  });
  const signal = new AbortController().signal;
  const caller = { plugin: 'p', digest: '', signal, run: 'r1', step: 's1' };
  return (call: FsWriteCall, ...args: unknown[]) =>
    Promise.resolve(services[`fs-write.${call}`](args, caller));
}

const put = (name: string, text: string) => writeFileSync(join(work, name), text);
const read = (name: string) => readFileSync(join(work, name), 'utf8');

describe('createFsWriteServices()', () => {
  it('keeps the mode of what is replaced, without the bits that lend rights', async () => {
    put('tool.sh', 'old');
    chmodSync(join(work, 'tool.sh'), 0o4750);
    await openServices()('write-text', 'work:tool.sh', 'new', null);
    expect(statSync(join(work, 'tool.sh')).mode & 0o7777).toBe(0o750);
    expect(changes).toEqual([
      {
        run: 'r1',
        step: 's1',
        root: 'work',
        path: 'tool.sh',
        kind: 'write',
        beforeHash: sha256('old'),
        afterHash: sha256('new'),
        mode: 0o750,
      },
    ]);
  });

  it('makes no folder one that git would obey, whatever it is called, and writes in none', async () => {
    const call = openServices();
    await call('create-dir', 'src/objects');
    await call('write-text', 'src/config', '[core]\n\tfsmonitor = ./x\n');
    await call('write-text', 'src/refs.txt', 'x');
    const denied = expect.objectContaining({ tag: 'denied' });
    for (const path of ['src/refs', 'src/REFS', 'src/refs/heads'])
      await expect(call('create-dir', path)).rejects.toEqual(denied);
    await expect(call('rename', 'src/refs.txt', 'src/refs')).rejects.toEqual(denied);
    await call('create-dir', 'lib');
    await call('write-text', 'lib/HEAD', 'x');
    await expect(call('write-text', 'lib/commondir', '../src')).rejects.toEqual(denied);
    for (const each of ['objects', 'refs'])
      mkdirSync(join(work, 'store', each), { recursive: true });
    for (const path of ['store/config', 'store/hooks/post-checkout', 'store/objects/ab/cd']) {
      await expect(call('write-text', path, 'x')).rejects.toEqual(denied);
    }
    expect(readdirSync(join(work, 'store')).sort()).toEqual(['objects', 'refs']);
    rmSync(join(work, 'store/refs'), { recursive: true });
    await call('write-text', 'store/config', 'plain');
    expect(read('store/config')).toBe('plain');
  });

  it('makes each missing directory, and is content with those that are there', async () => {
    const ask = openServices();
    await ask('create-dir', 'a/b');
    await ask('create-dir', 'a/b');
    await ask('create-dir', 'a/c');
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      ...['create a', 'create a/b', 'create a/c'],
    ]);
  });

  it.each([
    ['the row', 'record', new KernelError('unavailable', 'locked'), { code: 'unavailable' }],
    ['the row', 'record', errorOf('ENOSPC'), { tag: 'limit' }],
    ['the bytes', 'keep', new KernelError('resource-exhausted', 'full'), { name: 'KernelError' }],
  ])('changes nothing and leaves nothing when %s cannot be kept', async (_, port, thrown, told) => {
    put('a.txt', 'old');
    const fails = () => {
      throw thrown;
    };
    const ask = openServices({ [port]: fails });
    await expect(ask('write-text', 'a.txt', 'new', null)).rejects.toMatchObject(told);
    await expect(ask('remove', 'a.txt')).rejects.toMatchObject(told);
    await expect(ask('rename', 'a.txt', 'b.txt')).rejects.toMatchObject(told);
    expect(readdirSync(work)).toEqual(['a.txt']);
    expect(read('a.txt')).toBe('old');
  });

  it('does not replace what another program put there in the meantime', async () => {
    put('a.txt', 'old');
    const meanwhile: ChangeKeeper['record'] = (change, make) => {
      put('theirs', 'theirs');
      renameSync(join(work, 'theirs'), join(work, 'a.txt'));
      keeper.record(change, make);
    };
    const ask = openServices({ record: meanwhile });
    await expect(ask('write-text', 'a.txt', 'new', null)).rejects.toMatchObject({
      tag: 'conflict',
    });
    expect(readdirSync(work)).toEqual(['a.txt']);
    expect(read('a.txt')).toBe('theirs');
    expect(changes).toEqual([]);
  });

  it('does not replace a link that another program put there in the meantime', async () => {
    put('a.txt', 'old');
    writeFileSync(join(folder, 'outside'), 'outside');
    const meanwhile: ChangeKeeper['record'] = (change, make) => {
      rmSync(join(work, 'a.txt'));
      symlinkSync('../outside', join(work, 'a.txt'));
      keeper.record(change, make);
    };
    const ask = openServices({ record: meanwhile });
    await expect(ask('write-text', 'a.txt', 'new', null)).rejects.toMatchObject({ tag: 'denied' });
    expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('outside');
  });

  it('neither waits for a pipe nor replaces it', async () => {
    execFileSync('mkfifo', [join(work, 'pipe')]);
    const ask = openServices();
    for (const args of [
      ['write-text', 'pipe', 'x', null],
      ['remove', 'pipe'],
    ] as const) {
      const [call, ...rest] = args;
      await expect(ask(call, ...rest)).rejects.toMatchObject({ tag: 'invalid' });
    }
    expect(statSync(join(work, 'pipe')).isFIFO()).toBe(true);
  });

  it('asks for the roots at each call', async () => {
    const given: { work: string }[] = [{ work }];
    const ask = openServices({}, () => given[0] ?? ({} as { work: string }));
    await ask('write-text', 'a.txt', 'x', null);
    given.pop();
    await expect(ask('write-text', 'a.txt', 'y', null)).rejects.toMatchObject({
      tag: 'denied',
      message: 'path "a.txt": no root is granted to this plugin (fs-write)',
    });
    expect(read('a.txt')).toBe('x');
  });

  it.each([
    ['write-text', [3, 'x', null]],
    ['write-text', ['a.txt', 'x', 'no hash']],
    ['write-text', ['a.txt', 'half \ud800', null]],
    ['write-bytes', ['a.txt', 'no bytes', null]],
    ['rename', ['a.txt']],
    ['remove', []],
    ['create-dir', ['work:']],
  ])('refuses the arguments that a broken process makes up: %s %j', async (call, args) => {
    await expect(openServices()(call as FsWriteCall, ...args)).rejects.toMatchObject({
      tag: 'invalid',
    });
    expect(readdirSync(work)).toEqual([]);
  });
});

function errorOf(code: string): Error {
  return Object.assign(new Error(`${code}: /some/where`), { code });
}
