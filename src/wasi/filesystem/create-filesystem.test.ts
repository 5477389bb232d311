import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Guest,
  openWasi,
  payloadOf,
  type WasiFixture,
} from '../../../tests/support/open-wasi.ts';
import { openTempTree, type TempTree } from '../../../tests/support/temp-tree.ts';
import { rawPath } from '../../lib/files/raw-fs.ts';
import { HostFailure } from '../../paths/system-failure.ts';

let tree: TempTree;
beforeEach(() => {
  tree = openTempTree({
    'a.txt': 'hello',
    'sub/b.txt': 'below',
    '.env': 'KEY=1',
    'sub/tls.key': 'key',
  });
  symlinkSync('../secret.txt', join(tree.path, 'to-outside'));
  symlinkSync('/etc', join(tree.path, 'to-etc'));
  symlinkSync('sub/b.txt', join(tree.path, 'to-inside'));
});
afterEach(() => tree[Symbol.dispose]());

/** The kernel's side of writing, without what it decides; its own tests are elsewhere. */
function writeLikeKernel(call: string, args: readonly unknown[]): void {
  const [first, second] = args.map((arg) =>
    typeof arg === 'string' && arg.startsWith('work:') ? join(tree.path, arg.slice(5)) : arg,
  ) as [string, never];
  if (call === 'fs-write.write-bytes') writeFileSync(first, second);
  else if (call === 'fs-write.create-dir') mkdirSync(first);
  else if (call === 'fs-write.rename') renameSync(first, second);
  else if (call === 'fs-write.may-write') return;
  else if (call === 'fs-write.remove') rmSync(first, { recursive: true });
  else throw new HostFailure('denied', call);
}

const open = (options: Parameters<typeof openWasi>[0] = {}): WasiFixture =>
  openWasi({ roots: tree.roots, answer: writeLikeKernel, ...options });
const readOnly = { denied: { 'fs-write': 'not granted' } };

function preopens(wasi: WasiFixture): Map<string, Guest> {
  const list = wasi.of('wasi:filesystem/preopens').getDirectories!() as [Guest, string][];
  return new Map(list.map(([descriptor, name]) => [name, descriptor]));
}
const rootOf = (wasi: WasiFixture): Guest => preopens(wasi).get('/')!;

type Access = Partial<Record<'create' | 'truncate' | 'exclusive' | 'directory' | 'write', boolean>>;
function openAt(directory: Guest, path: string, access: Access = {}, follow = true): Guest {
  const { write = false, ...openFlags } = access;
  return directory.openAt!({ symlinkFollow: follow }, path, openFlags, {
    read: true,
    write,
  }) as Guest;
}
const textOf = (file: Guest): string => {
  const [bytes] = file.read!(1000n, 0n) as [Uint8Array];
  return Buffer.from(bytes).toString();
};
const onDisk = (name: string): string => readFileSync(join(tree.path, name), 'utf8');
const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('createFilesystem() reading', () => {
  it('reports a path that leads out to a guest without a grant, and to one above its limit', () => {
    const refused = [
      open({ denied: { fs: 'not granted', 'fs-write': 'not granted' } }),
      open({ maxHostCalls: 0 }),
    ];
    for (const wasi of refused) {
      const root = rootOf(wasi);
      expect(payloadOf(() => openAt(root, '../secret.txt'))).toBe('not-permitted');
      expect(payloadOf(() => root.statAt!({}, '../secret.txt'))).toBe('not-permitted');
      expect(payloadOf(() => root.unlinkFileAt!('../secret.txt'))).toBe('not-permitted');
    }
  });

  it('opens the root as `/` and by its name, and files below it', () => {
    const wasi = open(readOnly);
    const all = preopens(wasi);
    expect([...all.keys()]).toEqual(['/', 'work:']);
    for (const root of all.values()) {
      expect(textOf(openAt(root, 'a.txt'))).toBe('hello');
      expect(textOf(openAt(root, './sub/../sub//b.txt'))).toBe('below');
    }
    const sub = openAt(rootOf(wasi), 'sub', { directory: true });
    expect(textOf(openAt(sub, 'b.txt'))).toBe('below');
    expect(textOf(openAt(rootOf(wasi), 'to-inside'))).toBe('below');
  });

  it('reads through streams and in pieces, with one entry of the journal for each file', () => {
    const wasi = open(readOnly);
    const file = openAt(rootOf(wasi), 'a.txt');
    const stream = file.readViaStream!(1n) as Guest;
    file[Symbol.dispose]();
    expect(Buffer.from(stream.read!(2n) as Uint8Array).toString()).toBe('el');
    expect(stream.skip!(1n)).toBe(1n);
    expect(Buffer.from(stream.blockingRead!(2n ** 64n - 1n) as Uint8Array).toString()).toBe('o');
    expect(payloadOf(() => stream.read!(9n))).toEqual({ tag: 'closed' });
    const entries = wasi.calls.filter(({ call }) => call === 'fs.read-bytes');
    expect(entries).toMatchObject([{ target: 'work:a.txt', bytes: 4, outcome: 'ok' }]);
    const again = openAt(rootOf(wasi), 'a.txt');
    expect(again.read!(3n, 3n)).toEqual([new Uint8Array(bytes('lo')), false]);
    expect(again.read!(3n, 2n ** 64n - 1n)).toEqual([new Uint8Array(), true]);
  });

  it('tells what there is, links as links unless they are to be followed', () => {
    const root = rootOf(open(readOnly));
    const stat = (path: string, symlinkFollow: boolean) => root.statAt!({ symlinkFollow }, path);
    expect(stat('a.txt', true)).toMatchObject({ type: 'regular-file', size: 5n, linkCount: 1n });
    expect(stat('sub', true)).toMatchObject({ type: 'directory' });
    expect(stat('to-inside', false)).toMatchObject({ type: 'symbolic-link' });
    expect(stat('to-inside', true)).toMatchObject({ type: 'regular-file' });
    expect(root.readlinkAt!('to-inside')).toBe('sub/b.txt');
    const hash = (path: string) => root.metadataHashAt!({ symlinkFollow: true }, path);
    expect(hash('a.txt')).toEqual(openAt(root, 'a.txt').metadataHash!());
    expect(hash('a.txt')).not.toEqual(hash('sub/b.txt'));
    expect(openAt(root, 'to-inside').isSameObject!(openAt(root, 'sub/b.txt'))).toBe(true);
    expect(openAt(root, 'a.txt').isSameObject!(openAt(root, 'sub/b.txt'))).toBe(false);
  });

  it('lists a directory without what is withheld', () => {
    const root = rootOf(open(readOnly));
    const list = (directory: Guest): string[] => {
      const stream = directory.readDirectory!() as Guest;
      const names: string[] = [];
      for (;;) {
        const entry = stream.readDirectoryEntry!() as { name: string; type: string } | undefined;
        if (entry === undefined) return names;
        names.push(`${entry.name} ${entry.type}`);
      }
    };
    expect(list(root)).toEqual([
      'a.txt regular-file',
      'sub directory',
      'to-etc symbolic-link',
      'to-inside symbolic-link',
      'to-outside symbolic-link',
    ]);
    expect(list(openAt(root, 'sub'))).toEqual(['b.txt regular-file']);
  });

  // As Wasmtime: the stream fails at such a name, and goes on behind it.
  it('ends a listing at a name that is not UTF-8 with an error of its own', () => {
    writeFileSync(rawPath(join(tree.path, 'sub/c\udcff')), '');
    const stream = openAt(rootOf(open(readOnly)), 'sub').readDirectory!() as Guest;
    expect(stream.readDirectoryEntry!()).toMatchObject({ name: 'b.txt' });
    expect(payloadOf(() => stream.readDirectoryEntry!())).toBe('illegal-byte-sequence');
    expect(stream.readDirectoryEntry!()).toBeUndefined();
  });

  it('answers a circle of links, and a name of 256 bytes, as the system does', () => {
    symlinkSync('circle', join(tree.path, 'circle'));
    const wasi = open();
    const root = rootOf(wasi);
    const long = 'n'.repeat(256);
    for (const [path, code] of [
      ['circle', 'loop'],
      ['circle/x', 'loop'],
      [long, 'name-too-long'],
      ['é'.repeat(128), 'name-too-long'],
    ] as const) {
      expect(payloadOf(() => openAt(root, path))).toBe(code);
      expect(payloadOf(() => root.statAt!({ symlinkFollow: true }, path))).toBe(code);
    }
    const make = { create: true, write: true };
    expect(payloadOf(() => openAt(root, long, make))).toBe('name-too-long');
    expect(payloadOf(() => root.createDirectoryAt!(long))).toBe('name-too-long');
    expect(payloadOf(() => root.renameAt!('a.txt', root, long))).toBe('name-too-long');
    // None of it is a denial, which a grant would lift.
    expect(wasi.finish()).not.toHaveProperty('denied');
  });

  it.each([
    ['../secret.txt', 'not-permitted'],
    ['sub/../../secret.txt', 'not-permitted'],
    ['/etc/hostname', 'not-permitted'],
    ['..', 'not-permitted'],
    ['to-outside', 'access'],
    ['to-etc/hostname', 'access'],
    ['.env', 'access'],
    ['sub/tls.key', 'access'],
    ['.ENV.', 'access'],
    ['missing', 'no-entry'],
    ['', 'no-entry'],
    ['a.txt/x', 'not-directory'],
    ['a.txt/', 'not-directory'],
    ['with\0nul', 'invalid'],
    ['back\\slash', 'invalid'],
    [`${'x/'.repeat(200)}y`, 'invalid'],
    ['x'.repeat(5000), 'name-too-long'],
  ])('answers %j with %s, by opening and by looking', (path, code) => {
    const root = rootOf(open(readOnly));
    expect(payloadOf(() => openAt(root, path))).toBe(code);
    expect(payloadOf(() => root.statAt!({ symlinkFollow: true }, path))).toBe(code);
  });

  it('lets no directory be left upwards, not even below the root', () => {
    const sub = openAt(rootOf(open(readOnly)), 'sub');
    expect(payloadOf(() => openAt(sub, '../a.txt'))).toBe('not-permitted');
  });

  it('names no place of the host by a link', () => {
    const root = rootOf(open(readOnly));
    for (const link of ['to-outside', 'to-etc']) {
      expect(payloadOf(() => root.readlinkAt!(link))).toBe('not-permitted');
    }
  });

  it('shuts every root without the grant, and notes what was tried', () => {
    const wasi = openWasi({ denied: { fs: 'not granted', 'fs-write': 'not granted' } });
    const all = preopens(wasi);
    expect([...all.keys()]).toEqual(['/']);
    const root = all.get('/')!;
    expect(payloadOf(() => openAt(root, 'a.txt'))).toBe('access');
    expect(payloadOf(() => root.readDirectory!())).toBe('access');
    expect(payloadOf(() => openAt(root, 'new', { create: true, write: true }))).toBe('access');
    expect(wasi.calls.map(({ call, outcome }) => `${call} ${outcome}`)).toEqual([
      'fs.stat denied',
      'fs.list-dir denied',
      'fs-write.write-bytes denied',
    ]);
  });

  it('keeps few files open, and none after the call', () => {
    const wasi = open(readOnly);
    const root = rootOf(wasi);
    const files = Array.from({ length: 128 }, () => openAt(root, 'a.txt'));
    expect(payloadOf(() => openAt(root, 'a.txt'))).toBe('insufficient-memory');
    files.pop()![Symbol.dispose]();
    files.push(openAt(root, 'a.txt'));
    wasi.finish();
    for (const file of files) expect(payloadOf(() => file.read!(1n, 0n))).toBe('bad-descriptor');
  });

  it('makes no more resources than the limit', () => {
    const root = rootOf(open(readOnly));
    const file = openAt(root, 'a.txt');
    expect(() => {
      for (let time = 0; time < 5000; time += 1) file.readViaStream!(0n);
    }).toThrow(/more than 4096 WASI resources/);
  });

  it('notes lookups once for each directory', () => {
    const wasi = open(readOnly);
    const root = rootOf(wasi);
    for (let time = 0; time < 100; time += 1) root.statAt!({}, 'a.txt');
    root.statAt!({}, 'sub/b.txt');
    expect(wasi.calls.map(({ target }) => target)).toEqual(['work:', 'work:sub']);
  });
});

describe('createFilesystem() writing', () => {
  it('hands a file to the kernel once, when its last user lets go', () => {
    const wasi = open();
    const file = openAt(rootOf(wasi), 'new.txt', { create: true, write: true });
    const stream = file.writeViaStream!(0n) as Guest;
    stream.write!(bytes('one '));
    stream.blockingWriteAndFlush!(bytes('two'));
    expect(textOf(file)).toBe('one two');
    expect(rootOf(wasi).statAt!({}, 'new.txt')).toMatchObject({ size: 7n });
    expect(existsSync(join(tree.path, 'new.txt'))).toBe(false);
    file[Symbol.dispose]();
    expect(wasi.asked).toEqual([]);
    stream[Symbol.dispose]();
    expect(wasi.asked.map(({ call }) => call)).toEqual(['fs-write.write-bytes']);
    expect(onDisk('new.txt')).toBe('one two');
  });

  it('keeps a file the same one while it is written, and gives its number to no other', () => {
    const wasi = open();
    const root = rootOf(wasi);
    const hash = (path: string) => root.metadataHashAt!({}, path);
    const before = hash('a.txt');
    const file = openAt(root, 'a.txt', { write: true });
    const made = openAt(root, 'new.txt', { create: true, write: true });
    const seen = made.metadataHash!();
    for (const text of ['one', 'two']) {
      for (const each of [file, made]) {
        each.write!(bytes(text), 0n);
        each.sync!();
        // Whoever frees a number has the next file get it, on most systems.
        writeFileSync(join(tree.path, `beside-${text}`), '');
      }
    }
    for (const each of [file, made]) each[Symbol.dispose]();
    expect([hash('a.txt'), hash('new.txt')]).toEqual([before, seen]);
    const all = ['a.txt', 'new.txt', 'beside-one', 'beside-two', 'sub/b.txt'].map(hash);
    expect(new Set(all.map((each) => String((each as { lower: bigint }).lower))).size).toBe(5);
    expect(openAt(root, 'a.txt').isSameObject!(openAt(root, 'a.txt'))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')(
    'tells the time of a file to the nanosecond, by its path and by its descriptor',
    () => {
      const root = rootOf(open());
      const file = join(tree.path, 'a.txt');
      for (const [seconds, nanoseconds] of [
        [1_700_000_000n, 999_999_999],
        [1_764_366_000n, 123_456_789],
        [1_764_366_000n, 1],
      ] as const) {
        const time = `${seconds}.${String(nanoseconds).padStart(9, '0')}`;
        execFileSync('touch', ['-d', `@${time}`, file]);
        const told = { dataModificationTimestamp: { seconds, nanoseconds } };
        expect(root.statAt!({}, 'a.txt')).toMatchObject(told);
        using opened = openAt(root, 'a.txt');
        expect(opened.stat!()).toMatchObject(told);
        using written = openAt(root, 'a.txt', { write: true });
        expect(written.stat!()).toMatchObject(told);
      }
    },
  );

  it('tells when a file was changed that is not on the disk yet', () => {
    const root = rootOf(open());
    const before = BigInt(Math.floor(Date.now() / 1000));
    const secondsOf = (file: Guest): bigint =>
      (file.stat!() as { dataModificationTimestamp: { seconds: bigint } }).dataModificationTimestamp
        .seconds;
    utimesSync(join(tree.path, 'a.txt'), 1000, 1000);
    const old = openAt(root, 'a.txt', { write: true });
    expect(secondsOf(old)).toBe(1000n);
    old.write!(bytes('x'), 0n);
    expect(secondsOf(old)).toBeGreaterThanOrEqual(before);
    const made = openAt(root, 'new.txt', { create: true, write: true });
    expect(secondsOf(made)).toBeGreaterThanOrEqual(before);
  });

  it('puts each change of a file on the disk that is opened so', () => {
    const wasi = open();
    const flags = { write: true, fileIntegritySync: true };
    const openFlags = { create: true };
    const file = rootOf(wasi).openAt!({}, 'new.txt', openFlags, flags) as Guest;
    expect(file.getFlags!()).toMatchObject({ write: true, fileIntegritySync: true });
    file.write!(bytes('one '), 0n);
    expect(onDisk('new.txt')).toBe('one ');
    (file.appendViaStream!() as Guest).write!(bytes('two'));
    expect(onDisk('new.txt')).toBe('one two');
    file.setSize!(3n);
    expect(onDisk('new.txt')).toBe('one');
    const plain = openAt(rootOf(wasi), 'other.txt', { create: true, write: true });
    plain.write!(bytes('x'), 0n);
    expect(existsSync(join(tree.path, 'other.txt'))).toBe(false);
    expect(plain.getFlags!()).not.toHaveProperty('fileIntegritySync');
  });

  it('writes what is still open when the call ends, and nothing of a guest that trapped', () => {
    const wasi = open();
    const write = (text: string) =>
      openAt(rootOf(wasi), 'a.txt', { truncate: true, write: true }).write!(bytes(text), 0n);
    write('half-wri');
    wasi.discard();
    expect(onDisk('a.txt')).toBe('hello');
    write('whole');
    expect(wasi.finish().lost).toEqual([]);
    expect(onDisk('a.txt')).toBe('whole');
  });

  it('changes parts of a file, appends, cuts and fills it, and expects it unchanged', () => {
    const wasi = open();
    const file = openAt(rootOf(wasi), 'a.txt', { write: true });
    file.write!(bytes('J'), 0n);
    (file.appendViaStream!() as Guest).write!(bytes('!'));
    file.sync!();
    expect(onDisk('a.txt')).toBe('Jello!');
    file.setSize!(2n);
    file.setSize!(4n);
    file.syncData!();
    expect(onDisk('a.txt')).toBe('Je\0\0');
    const hashes = wasi.asked.map(({ args }) => args[2]);
    // SHA-256 of `hello`, then of what was written first.
    expect(hashes[0]).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    expect(hashes[1]).not.toBe(hashes[0]);
  });

  it('opens nothing for writing that the kernel denies, and asks once for each root', () => {
    let asked = 0;
    const denied = open({
      answer: (call) => {
        asked += 1;
        throw new HostFailure('denied', `${call} was not granted`);
      },
    });
    for (const access of [{ write: true }, { create: true, write: true }, { truncate: true }]) {
      expect(payloadOf(() => openAt(rootOf(denied), 'a.txt', access))).toBe('access');
    }
    expect(asked).toBe(3);
    expect(denied.finish()).toMatchObject({ lost: [], denied: expect.stringMatching(/may-write/) });
    asked = 0;
    const allowed = open({
      answer: (call, args) => {
        if (call === 'fs-write.may-write') asked += 1;
        else writeLikeKernel(call, args);
      },
    });
    for (const name of ['x', 'y', 'a.txt']) {
      openAt(rootOf(allowed), name, { create: true, write: true })[Symbol.dispose]();
    }
    expect(asked).toBe(1);
    allowed.finish();
    openAt(rootOf(allowed), 'z', { create: true, write: true })[Symbol.dispose]();
    expect(asked).toBe(2);
  });

  it('tells at the end of what the kernel refused', () => {
    const wasi = open({
      answer: (call) => {
        if (call === 'fs-write.may-write') return;
        throw new HostFailure('conflict', 'path "work:a.txt" is not what was read');
      },
    });
    const file = openAt(rootOf(wasi), 'a.txt', { write: true });
    file.write!(bytes('x'), 0n);
    expect(payloadOf(() => file.sync!())).toBe('exist');
    file[Symbol.dispose]();
    expect(wasi.finish().lost).toEqual([
      { tag: 'conflict', val: 'path "work:a.txt" is not what was read' },
    ]);
    expect(wasi.finish().lost).toEqual([]);
  });

  it('makes, moves and removes', () => {
    const root = rootOf(open());
    root.createDirectoryAt!('made');
    expect(payloadOf(() => root.createDirectoryAt!('made'))).toBe('exist');
    expect(payloadOf(() => root.createDirectoryAt!('missing/made'))).toBe('no-entry');
    root.renameAt!('a.txt', root, 'made/moved.txt');
    expect(onDisk('made/moved.txt')).toBe('hello');
    expect(payloadOf(() => root.unlinkFileAt!('made'))).toBe('is-directory');
    expect(payloadOf(() => root.removeDirectoryAt!('made/moved.txt'))).toBe('not-directory');
    root.unlinkFileAt!('made/moved.txt');
    expect(payloadOf(() => root.unlinkFileAt!('made/moved.txt'))).toBe('no-entry');
    root.removeDirectoryAt!('made');
    expect(readdirSync(tree.path)).not.toContain('made');
  });

  it('renames over a file as programs do that save, and follows what is still open', () => {
    const wasi = open();
    const root = rootOf(wasi);
    const file = openAt(root, 'a.txt.tmp', { create: true, write: true });
    file.write!(bytes('saved'), 0n);
    root.renameAt!('a.txt.tmp', root, 'a.txt');
    file[Symbol.dispose]();
    expect(onDisk('a.txt')).toBe('saved');
    expect(existsSync(join(tree.path, 'a.txt.tmp'))).toBe(false);
    const other = openAt(root, 'one', { create: true, write: true });
    root.renameAt!('one', root, 'two');
    other.write!(bytes('later'), 0n);
    other[Symbol.dispose]();
    expect(onDisk('two')).toBe('later');
    expect(existsSync(join(tree.path, 'one'))).toBe(false);
  });

  it('renames a directory with all below it, onto nothing or onto an empty one', () => {
    const wasi = open();
    const root = rootOf(wasi);
    for (const name of ['from', 'from/deep', 'empty']) root.createDirectoryAt!(name);
    openAt(root, 'from/one.txt', { create: true, write: true }).write!(bytes('one'), 0n);
    const file = openAt(root, 'from/deep/two.txt', { create: true, write: true });
    file.write!(bytes('two'), 0n);
    root.renameAt!('from', root, 'to');
    file.write!(bytes('!'), 3n);
    file.sync!();
    expect([onDisk('to/one.txt'), onDisk('to/deep/two.txt')]).toEqual(['one', 'two!']);
    expect(existsSync(join(tree.path, 'from'))).toBe(false);
    root.renameAt!('to/deep', root, 'empty');
    expect(onDisk('empty/two.txt')).toBe('two!');
    expect(existsSync(join(tree.path, 'to/deep'))).toBe(false);
    expect(wasi.asked.filter(({ call }) => call === 'fs-write.rename')).toHaveLength(3);
  });

  it('changes nothing where a directory cannot be renamed', () => {
    const wasi = open();
    const root = rootOf(wasi);
    for (const name of ['plain', 'linked', 'many']) mkdirSync(join(tree.path, name));
    symlinkSync('../a.txt', join(tree.path, 'linked/link'));
    for (let index = 0; index < 501; index += 1) {
      writeFileSync(join(tree.path, `many/${index}`), '');
    }
    const rename = (from: string, to: string) => () => root.renameAt!(from, root, to);
    expect(payloadOf(rename('sub', 'to'))).toBe('access');
    expect(payloadOf(rename('plain', 'plain.key'))).toBe('access');
    expect(payloadOf(rename('linked', 'to'))).toBe('unsupported');
    expect(payloadOf(rename('many', 'to'))).toBe('quota');
    expect(payloadOf(rename('plain', 'plain/below'))).toBe('invalid');
    expect(payloadOf(rename('plain', 'linked'))).toBe('not-empty');
    expect(payloadOf(rename('plain', 'a.txt'))).toBe('not-directory');
    expect(payloadOf(rename('a.txt', 'plain'))).toBe('is-directory');
    expect(payloadOf(rename('a.txt/', 'b.txt'))).toBe('not-directory');
    expect(wasi.asked).toEqual([]);
    expect(wasi.finish()).toMatchObject({
      denied: expect.stringContaining('is a protected file'),
      limited: 'a directory of more than 500 entries that is renamed',
    });
  });

  it('names the limit that was reached, and not again in the next call', () => {
    const wasi = open();
    const root = rootOf(wasi);
    const file = openAt(root, 'big', { create: true, write: true });
    expect(payloadOf(() => file.write!(bytes('x'), 5_000_000n))).toBe('file-too-large');
    const text = 'a file of 5000001 bytes, limit 4194304 for one that is written';
    // Neither half of it is written, nor is the call a success.
    expect(wasi.finish()).toMatchObject({
      limited: text,
      lost: [{ tag: 'limit', val: `work:big: ${text}` }],
    });
    expect(existsSync(join(tree.path, 'big'))).toBe(false);
    expect(wasi.finish()).not.toHaveProperty('limited');
    expect(payloadOf(() => openAt(rootOf(wasi), 'a.txt').setSize!(1n))).toBe('invalid');
  });

  it('writes nothing for a file that was removed while it was open', () => {
    const wasi = open();
    const root = rootOf(wasi);
    const file = openAt(root, 'gone', { create: true, write: true });
    root.unlinkFileAt!('gone');
    file.write!(bytes('x'), 0n);
    file[Symbol.dispose]();
    expect(wasi.asked).toEqual([]);
  });

  it.each([
    ['a link', 'to-inside', {}, 'access'],
    ['a link outwards', 'to-outside', { truncate: true }, 'access'],
    ['a protected name', '.env', { truncate: true }, 'access'],
    ['a hook of git', '.git/hooks/pre-commit', { create: true }, 'access'],
    ['all of .git', '.git/HEAD', { create: true }, 'access'],
    ['a parent path', '../new.txt', { create: true }, 'not-permitted'],
    ['what must be new', 'a.txt', { create: true, exclusive: true }, 'exist'],
    ['a directory', 'sub', { truncate: true }, 'is-directory'],
    ['what is not there', 'missing', {}, 'no-entry'],
    ['below what is not there', 'missing/x', { create: true }, 'no-entry'],
  ])('opens no %s for writing', (_, path, flags, code) => {
    const wasi = open();
    const access = { ...flags, write: true };
    expect(payloadOf(() => openAt(rootOf(wasi), path, access))).toBe(code);
    expect(wasi.finish().lost).toEqual([]);
    expect(wasi.asked).toEqual([]);
  });

  it('refuses each change without the grant, and for a tool that promised to read', () => {
    for (const options of [readOnly, { effect: 'read' as const }]) {
      const wasi = open(options);
      const root = rootOf(wasi);
      const changes: (() => unknown)[] = [
        () => openAt(root, 'a.txt', { write: true }),
        () => openAt(root, 'a.txt', { truncate: true }),
        () => openAt(root, 'new.txt', { create: true }),
        () => root.createDirectoryAt!('made'),
        () => root.unlinkFileAt!('a.txt'),
        () => root.removeDirectoryAt!('sub'),
        () => root.renameAt!('a.txt', root, 'b.txt'),
      ];
      for (const change of changes) expect(payloadOf(change)).toBe('access');
      expect(payloadOf(() => openAt(root, 'a.txt').write!(bytes('x'), 0n))).toBe('bad-descriptor');
      expect(wasi.calls.filter(({ outcome }) => outcome === 'denied')).toHaveLength(7);
      expect(wasi.asked).toEqual([]);
    }
  });

  it('never makes links or sets times', () => {
    const root = rootOf(open());
    expect(payloadOf(() => root.symlinkAt!('/etc', 'link'))).toBe('not-permitted');
    expect(payloadOf(() => root.linkAt!({}, 'a.txt', root, 'hard'))).toBe('not-permitted');
    expect(payloadOf(() => root.setTimesAt!({}, 'a.txt', {}, {}))).toBe('unsupported');
  });

  it('bounds what is kept of one file and of all', () => {
    const wasi = open();
    const root = rootOf(wasi);
    const megabyte = 1024 * 1024;
    const full = (name: string) => {
      const file = openAt(root, name, { create: true, write: true });
      file.write!(new Uint8Array(4 * megabyte), 0n);
      return file;
    };
    const first = full('1');
    expect(payloadOf(() => first.write!(new Uint8Array(1), 4n * BigInt(megabyte)))).toBe(
      'file-too-large',
    );
    expect(payloadOf(() => first.write!(new Uint8Array(1), 2n ** 64n - 1n))).toBe('file-too-large');
    expect(payloadOf(() => first.setSize!(2n ** 63n))).toBe('file-too-large');
    for (const name of ['2', '3', '4']) full(name);
    expect(payloadOf(() => full('5'))).toBe('insufficient-memory');
    first[Symbol.dispose]();
    full('6');
    wasi.discard();
  });

  it('takes no arguments of other types, and no directory of another kind', () => {
    const wasi = open();
    const root = rootOf(wasi);
    const stream = openAt(root, 'a.txt').readViaStream!(0n);
    expect(() => root.openAt!({}, 7, {}, {})).toThrow(TypeError);
    expect(() => root.openAt!({}, 'a.txt', undefined, {})).toThrow(TypeError);
    expect(() => root.renameAt!('a.txt', stream, 'b')).toThrow(/no descriptor/);
    expect(() => root.renameAt!('a.txt', {}, 'b')).toThrow(/no descriptor/);
    const { Descriptor } = wasi.of('wasi:filesystem/types') as unknown as {
      Descriptor: new (...args: unknown[]) => object;
    };
    expect(
      () => new Descriptor({ kind: 'directory', place: { root: 'work', segments: [] } }),
    ).toThrow(/made by the host/);
  });
});
