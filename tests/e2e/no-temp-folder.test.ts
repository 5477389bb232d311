import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const files = { 'birds.md': '# Birds\n\nThe heron stands in shallow water.\n' };

/** A home whose memory has tables, for which LanceDB is loaded. */
async function withTables(): Promise<Place> {
  const place = openPlace(files);
  writeFileSync(join(place.dir, 'file'), '');
  expect((await place.cuervo(['ask', 'remember that the heron is called Anna'])).code).toBe(0);
  expect((await place.cuervo(['memory', 'add', 'birds.md'])).code).toBe(0);
  expect((await place.cuervo(['memory', 'compact'])).code).toBe(0);
  expect(existsSync(join(place.home, 'lancedb/interact.lance'))).toBe(true);
  return place;
}

// LanceDB panics without a temporary folder, so each command has one of its own.
describe('a temporary folder that cannot be written', { timeout: 120_000 }, () => {
  it.each([
    ['is missing', (place: Place) => join(place.dir, 'missing')],
    ['is a file', (place: Place) => join(place.dir, 'file')],
    ['takes no folder', () => '/proc'],
  ])('that %s is one in the home instead', async (_how, folderOf) => {
    using place = await withTables();
    const options = { ownProcess: true, env: { TMPDIR: folderOf(place) } };
    const asked = await place.cuervo(['ask', 'what is the heron called?'], options);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('Anna') });
    const found = await place.cuervo(['memory', 'search', 'heron'], options);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('Anna') });
    expect((await place.cuervo(['memory', 'compact'], options)).code).toBe(0);
    const ran = await place.cuervo(
      ['run', 'shell.run', 'echo heron', '--allow', 'exec:echo'],
      options,
    );
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('heron') });
    const doctor = await place.cuervo(['doctor'], options);
    expect(doctor.stdout).toContain('warn  temporary folder: ');
    expect(readdirSync(join(place.home, 'tmp'))).toEqual([]);
  });

  it('costs memory and not the answer where the home has no place for one either', async () => {
    using place = await withTables();
    writeFileSync(join(place.home, 'tmp'), '');
    const env = { TMPDIR: join(place.dir, 'missing') };
    const options = { ownProcess: true, env };
    const asked = await place.cuervo(['ask', 'where does the heron stand?'], options);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('shallow water') });
    expect(asked.stderr).toContain('note: ');
    const found = await place.cuervo(['memory', 'compact'], options);
    expect(found.code).toBe(7);
    expect(found.stderr).toBe(
      `error: no temporary folder can be made in "${env.TMPDIR}" (TMPDIR), which memory needs\n` +
        'hint: Name a folder that you can write to: TMPDIR=DIR cuervo …\n',
    );
  });
});

const root = resolve(import.meta.dirname, '../..');

/** Native code that runs in the process of the command line, alone in a process of its own. */
function ended(code: string, env: Record<string, string>): { signal: string | null; said: string } {
  const { signal, stdout } = spawnSync(process.execPath, ['-e', code], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { signal, said: stdout.trim() };
}

describe('a native library by itself', () => {
  it('panics in a call that fails, if it is LanceDB without a temporary folder', () => {
    const index = `const { connect, Index } = require('@lancedb/lancedb');
const rows = Array.from({ length: 600 }, (_, id) => ({ id, vector: Array.from({ length: 8 }, Math.random) }));
const config = Index.ivfPq({ numPartitions: 2, numSubVectors: 2 });
(async () => {
  const table = await (await connect(process.env.FOLDER)).createTable('t', rows);
  await table.createIndex('vector', { config });
})().then(() => console.log('made'), ({ message }) => console.log(message));`;
    for (const [TMPDIR, said] of [
      [tmpdir(), 'made'],
      ['/nonexistent', 'Panic in async function'],
      ['/proc', 'Panic in async function'],
    ] as const) {
      using place = openPlace();
      expect(ended(index, { TMPDIR, FOLDER: join(place.dir, 'tables') })).toEqual({
        signal: null,
        said,
      });
    }
  });

  it('throws if it is SQLite without a temporary folder', () => {
    const sort = `const database = new (require('better-sqlite3'))(process.env.FILE);
database.pragma('temp_store = FILE');
database.pragma('cache_size = 10');
const many = 'with recursive c(x) as (select 1 union all select x + 1 from c where x < 100000)';
try {
  database.prepare(many + ' select hex(randomblob(60)) as a from c order by a').all();
  console.log('sorted');
} catch (thrown) { console.log(thrown.code); }`;
    using place = openPlace();
    const FILE = join(place.dir, 'sorted.db');
    expect(ended(sort, { FILE })).toEqual({ signal: null, said: 'sorted' });
    const none = { FILE, TMPDIR: '/proc', SQLITE_TMPDIR: '/proc' };
    expect(ended(sort, none)).toEqual({ signal: null, said: 'SQLITE_CANTOPEN' });
  });

  it('throws if it is the keychain without a session bus', () => {
    const ask = `const { AsyncEntry } = require('@napi-rs/keyring');
const entry = () => new AsyncEntry('cuervo', 'x', { linux: { store: 'secret-service' } });
(async () => entry().getPassword())().then(() => console.log('asked'), () => console.log('threw'));`;
    for (const DBUS_SESSION_BUS_ADDRESS of ['unix:path=/nonexistent', 'no address']) {
      expect(ended(ask, { DBUS_SESSION_BUS_ADDRESS })).toEqual({ signal: null, said: 'threw' });
    }
  });
});
