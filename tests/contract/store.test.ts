import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { formatVersion } from '../../src/store/migrations.ts';
import { openStore } from '../../src/store/open-store.ts';
import { runChild } from './children/run-child.ts';
import { storeContract } from './store.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const newPath = () => join(folder, `${made++}`, 'cuervo.db');

storeContract('openStore() in memory', () => openStore({ path: ':memory:' }));
storeContract('openStore() on a file', () => openStore({ path: newPath() }));

describe('openStore() and its file', () => {
  it('keeps what was written for the next opening', () => {
    const path = newPath();
    using first = openStore({ path, newId: () => 'given' });
    first.createSession('/p', 't', 1);
    first[Symbol.dispose]();
    using second = openStore({ path });
    expect(second.session('given')?.title).toBe('t');
  });

  it('gives nobody else a right to its files', () => {
    const path = newPath();
    using store = openStore({ path });
    store.setSetting('a', {});
    const modes = [path, `${path}-wal`, `${path}-shm`].map((file) => statSync(file).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    store[Symbol.dispose]();
    chmodSync(path, 0o644);
    using again = openStore({ path });
    expect(again.getSetting('a')).toEqual({});
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses a file of a newer format, naming both, and leaves it as it is', () => {
    const path = newPath();
    openStore({ path })[Symbol.dispose]();
    const raw = new BetterSqlite3(path);
    raw.pragma(`user_version = ${formatVersion + 6}`);
    raw.close();
    expect(() => openStore({ path })).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: `the store ${path} has format ${formatVersion + 6}, this version of cuervo reads up to ${formatVersion}`,
        hint: expect.stringContaining('update cuervo'),
      }),
    );
    const after = new BetterSqlite3(path);
    expect(after.pragma('user_version', { simple: true })).toBe(formatVersion + 6);
    after.close();
  });

  it.each([
    [
      'text',
      Buffer.from('this is not a database, only some text that is long enough\n'.repeat(99)),
    ],
    [
      'a header with nothing behind it',
      Buffer.from(`SQLite format 3\u0000${'\u0001'.repeat(200)}`),
    ],
  ])('says of %s that it is damaged', (_what, bytes) => {
    const path = newPath();
    openStore({ path })[Symbol.dispose]();
    writeFileSync(path, bytes);
    expect(() => openStore({ path })).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: `the store ${path} is damaged or is not a SQLite database`,
        hint: expect.stringContaining(`mv ${path} `),
      }),
    );
  });

  it('says of a database with overwritten pages that it is damaged', () => {
    const path = newPath();
    using store = openStore({ path });
    for (let n = 0; n < 50; n++) store.setSetting(`key-${n}`, { filler: 'x'.repeat(1_000) });
    store[Symbol.dispose]();
    const file = openSync(path, 'r+');
    const zeros = Buffer.alloc(statSync(path).size - 4_096);
    writeSync(file, zeros, 0, zeros.length, 4_096);
    closeSync(file);
    expect(() => {
      using damaged = openStore({ path });
      damaged.getSetting('key-7');
    }).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('is damaged'),
      }),
    );
  });

  it('says of a path below a file that it cannot be opened', () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(() => openStore({ path: join(file, 'home', 'cuervo.db') })).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        hint: expect.stringContaining('CUERVO_HOME'),
      }),
    );
    expect(() => openStore({ path: folder })).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(folder) }),
    );
  });

  it('says that a pipe is not a file', () => {
    const path = join(folder, 'a $pipe.db');
    spawnSync('mkfifo', [path]);
    const message = `the store ${path} is not a regular file`;
    const hint = expect.stringMatching(/: mv '[^']+' '[^']+\.old'$/);
    const thrown = expect.objectContaining({ code: 'unavailable', message, hint });
    expect(() => openStore({ path })).toThrow(thrown);
  });
});

describe('openStore() in several processes', { timeout: 60_000 }, () => {
  it('lets six open a new file at once', async () => {
    const path = newPath();
    const children = [0, 1, 2, 3, 4, 5].map((n) =>
      runChild('./write-store.ts', [path, `p${n}`, '1']),
    );
    for (const [n, child] of children.entries()) {
      expect((await child.ended).stdout).toBe(`p${n}-0\n`);
    }
    using store = openStore({ path });
    expect([0, 1, 2, 3, 4, 5].filter((n) => store.getSetting(`p${n}-0`) === undefined)).toEqual([]);
  });

  it('waits while another process is making the file', async () => {
    const path = newPath();
    mkdirSync(join(path, '..'));
    const maker = new BetterSqlite3(path);
    // a write lock on a file that is not a write-ahead log yet: SQLite itself does not wait for it
    maker.exec('BEGIN IMMEDIATE');
    const child = runChild('./write-store.ts', [path, 'x', '1', '--tell']);
    await child.printed('waits for the file\n');
    maker.exec('COMMIT');
    maker.close();
    expect((await child.ended).stdout).toMatch(/^(?:waits for the file\n)+x-0\n$/);
  });

  it('loses no row when two write at once', async () => {
    const path = newPath();
    const children = ['a', 'b'].map((prefix) =>
      runChild('./write-store.ts', [path, prefix, '300']),
    );
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    using store = openStore({ path });
    const lost = ['a', 'b'].flatMap((prefix) =>
      Array.from({ length: 300 }, (_, n) => `${prefix}-${n}`).filter(
        (key) => !store.getSetting(key),
      ),
    );
    expect(lost).toEqual([]);
  });

  it('has every committed row of a writer that was killed', async () => {
    const path = newPath();
    const child = runChild('./write-store.ts', [path, 'k', '1000000']);
    await child.printed('k-50\n');
    child.process.kill('SIGKILL');
    const { stdout, signal } = await child.ended;
    expect(signal).toBe('SIGKILL');
    const whole = stdout.split('\n').slice(0, -1);
    expect(whole.length).toBeGreaterThan(50);
    using store = openStore({ path });
    expect(whole.filter((key) => store.getSetting(key) === undefined)).toEqual([]);
    store.setSetting('after', {});
    expect(store.getSetting('after')).toEqual({});
  });
});

describe('openStore() where it cannot write', { timeout: 60_000 }, () => {
  const sayings = async (child: ReturnType<typeof runChild>) => {
    const lines = (await child.ended).stdout.trim().split('\n');
    return { kept: lines.slice(0, -1), error: JSON.parse(lines.at(-1)!) as Record<string, string> };
  };

  // root may write anywhere, so it turns into another user first
  const root = process.getuid?.() === 0;
  const user = 65_534;
  it('names a read-only folder, and works when it is writable again', async () => {
    const path = newPath();
    openStore({ path })[Symbol.dispose]();
    const home = join(path, '..');
    chmodSync(folder, 0o755);
    if (root) for (const owned of [home, path]) chownSync(owned, user, user);
    const attempt = () =>
      runChild('./write-store.ts', [path, 'x', '1', ...(root ? [`${user}`] : [])]);
    chmodSync(path, 0o400);
    chmodSync(home, 0o500);
    const { error } = await sayings(attempt());
    chmodSync(home, 0o700);
    const { error: fileError } = await sayings(attempt());
    chmodSync(path, 0o600);
    expect((await attempt().ended).stdout).toBe('x-0\n');
    for (const said of [error, fileError]) {
      expect(said).toMatchObject({ name: 'KernelError', code: 'unavailable' });
      expect(said.message).toContain(path);
      expect(said.message).toMatch(/is read-only|cannot be opened/);
      expect(said.hint).toContain('CUERVO_HOME');
    }
  });

  it('keeps what it has when the file may not grow (ulimit -f)', async () => {
    const path = newPath();
    mkdirSync(join(path, '..'));
    const shell = ['sh', '-c', 'ulimit -f 800; exec "$0" "$@"', process.execPath];
    const { kept, error } = await sayings(runChild('./write-store.ts', [path, 'x', '2000'], shell));
    expect(error).toMatchObject({ name: 'KernelError', code: 'unavailable' });
    expect(error.message).toMatch(/could not be read or written/);
    expect(kept.length).toBeGreaterThan(0);
    using store = openStore({ path });
    expect(kept.filter((key) => store.getSetting(key) === undefined)).toEqual([]);
    expect(store.getSetting('x-1999')).toBeUndefined();
  });

  const mount = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m none "$0" && exec "$@"'];
  const canMount = spawnSync(mount[0]!, [...mount.slice(1), folder, 'true']).status === 0;
  it.skipIf(!canMount)('names a full disk (skipped where a tmpfs cannot be mounted)', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const command = [...mount, disk, process.execPath];
    const { kept, error } = await sayings(
      runChild('./write-store.ts', [join(disk, 'cuervo.db'), 'x', '5000'], command),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(error).toMatchObject({
      name: 'KernelError',
      code: 'resource-exhausted',
      message: `the store ${join(disk, 'cuervo.db')} cannot grow: the disk is full; nothing was half-written`,
    });
  });
});
