import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, describe, expect, it } from 'vitest';
import type { FlushableMemory, MemoryFilter } from '../../src/contracts/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openStore } from '../../src/store/open-store.ts';
import { never, nowMs, turn } from '../contract/memory.contract.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { killWriters } from './support/kill-writers.ts';
import { writeTogether } from './support/write-together.ts';

const top = mkdtempSync(join(tmpdir(), 'cuervo-chaos-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));
let made = 0;
const newFolder = () => {
  const folder = join(top, `${made++}`);
  mkdirSync(folder);
  return folder;
};
const signal = never;
const yearMs = 365 * 24 * 3_600_000;

async function open(
  folder: string,
  clock = { nowMs: () => nowMs },
  warnings: string[] = [],
): Promise<FlushableMemory> {
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock,
    warn: (message) => warnings.push(message),
  });
  const close = async () => {
    await memory[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  return { ...memory, [Symbol.asyncDispose]: close };
}

const texts = async (memory: FlushableMemory, text: string, filter: MemoryFilter = {}) =>
  (await memory.search({ text, limit: 32, ...filter }, { signal })).map((hit) => hit.text);

describe('memory under kills and beside other writers', { timeout: 120_000 }, () => {
  it('has every acknowledged turn, once, after 20 kills at random points (200: npm run test:chaos:long)', async () => {
    const seen = await killWriters(newFolder(), 20, seededRandom(7));
    expect(seen.acknowledged).toBeGreaterThan(100);
    expect(seen).toMatchObject({ kills: 20, lost: [], twice: [] });
  });

  it('loses and doubles nothing when two processes write 100 equal keys (1,000: npm run test:chaos:long)', async () => {
    expect(await writeTogether(newFolder(), 100)).toEqual({ rows: 100, distinct: 100 });
  });
});

describe('memory where its folder is not what it was', { timeout: 180_000 }, () => {
  const damages: [string, (folder: string) => Promise<void>][] = [
    [
      'a table of somebody else',
      async (folder) => {
        const connection = await connect(join(folder, 'lancedb'));
        await connection.dropTable('interact');
        await connection.createTable('interact', [{ name: 'a stranger', n: 1 }]);
        connection.close();
      },
    ],
    [
      'data files that were cut',
      async (folder) => {
        const data = join(folder, 'lancedb', 'interact.lance', 'data');
        for (const name of readdirSync(data)) truncateSync(join(data, name), 100);
      },
    ],
    [
      'data files that are gone',
      async (folder) => {
        rmSync(join(folder, 'lancedb', 'interact.lance', 'data'), { recursive: true });
      },
    ],
    [
      'a file that does not say which tables there are',
      async (folder) => writeFileSync(join(folder, 'lancedb', 'tables.json'), '{"half'),
    ],
  ];

  it.each(damages)(
    'finds what was said, says so, and makes the tables anew: %s',
    async (_what, damage) => {
      const folder = newFolder();
      {
        await using memory = await open(folder);
        await memory.remember([turn('the heron stands')], { signal });
        await memory.flush({ signal });
        expect(await texts(memory, 'heron')).toEqual(['the heron stands']);
      }
      await damage(folder);
      const warnings: string[] = [];
      await using memory = await open(folder, undefined, warnings);
      expect(await texts(memory, 'heron')).toEqual(['the heron stands']);
      expect(warnings).toEqual([
        expect.stringMatching(/^the tables? of [^\n]{20,400}cuervo memory rebuild$/),
      ]);
      await memory.remember([turn('the stork came')], { signal });
      await expect(memory.flush({ signal })).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/^[^\n]{20,320}$/),
      });
      expect((await memory.rebuild({ signal })).rows).toBe(2);
      expect(await texts(memory, 'stork')).toEqual(['the stork came']);
      expect(await texts(memory, 'heron')).toEqual(['the heron stands']);
      expect((await memory.count({}, { signal })).interact).toBe(2);
    },
  );

  it('loses nothing when any one file of the tables is removed, cut or empty', async () => {
    const whole = newFolder();
    {
      await using memory = await open(whole);
      const many = Array.from({ length: 40 }, (_, n) => turn(`row ${n} of the stork`));
      await memory.remember([turn('the heron stands', { kind: 'fact' }), ...many], { signal });
      await memory.flush({ signal });
      const [gone] = await memory.remember([turn('the secret nest')], { signal });
      await memory.flush({ signal });
      await memory.forget({ ids: [gone ?? ''] }, { signal });
      const kept = ['preference', 'decision', 'event'].map((kind) => turn(`a ${kind}`, { kind }));
      await memory.remember([...kept, turn('the crane came last', { kind: 'fact' })], { signal });
      await memory.flush({ signal });
    }
    const files = readdirSync(join(whole, 'lancedb'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(whole, join(parentPath, name)));
    expect(files.length).toBeGreaterThan(8);
    const damages: [string, (path: string) => void][] = [
      ['removed', (path) => rmSync(path)],
      ['cut', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
      ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
    ];
    for (const file of files) {
      for (const [how, damage] of damages) {
        const folder = newFolder();
        cpSync(whole, folder, { recursive: true });
        damage(join(folder, file));
        await using memory = await open(folder);
        const found = [how, file, (await texts(memory, 'heron stands'))[0]];
        expect(found).toEqual([how, file, 'the heron stands']);
        // of the version that was written last, too
        const last = [how, file, (await texts(memory, 'crane came last'))[0]];
        expect(last).toEqual([how, file, 'the crane came last']);
        await memory.rebuild({ signal });
        expect([how, file, await texts(memory, 'heron')]).toEqual([
          how,
          file,
          ['the heron stands'],
        ]);
        expect([how, file, await texts(memory, 'secret nest')]).toEqual([how, file, []]);
        const { interact } = await memory.count({}, { signal });
        expect([how, file, interact]).toEqual([how, file, 45]);
        rmSync(folder, { recursive: true });
      }
    }
  });

  it('passes over files that are not tables', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'lancedb', 'insights.lance'), { recursive: true });
    writeFileSync(join(folder, 'lancedb', 'assets.lance'), 'a file');
    writeFileSync(join(folder, 'lancedb', 'README'), 'a note');
    await using memory = await open(folder);
    await memory.remember([turn('the heron')], { signal });
    expect(await memory.flush({ signal })).toEqual({ moved: 1, pending: 0 });
    expect(await texts(memory, 'heron')).toEqual(['the heron']);
  });
});

describe('memory and a clock that jumps', () => {
  it('finds what was said a year ahead, prunes nothing of it, and goes on', async () => {
    let now = nowMs;
    await using memory = await open(newFolder(), { nowMs: () => now });
    await memory.remember([turn('the heron before')], { signal });
    await memory.flush({ signal });
    now = nowMs - yearMs;
    const [hit] = await memory.search({ text: 'heron', limit: 1 }, { signal });
    expect(hit?.factors.decay).toBe(1);
    await memory.remember([turn('the heron after', { ts: now })], { signal });
    expect(await memory.prune(now, { signal })).toEqual({ interact: 0, insights: 0, assets: 0 });
    expect(await memory.optimize(now, { signal, force: true })).toEqual(['interact']);
    expect((await texts(memory, 'heron')).toSorted()).toEqual([
      'the heron after',
      'the heron before',
    ]);
    // turns stay, whatever the clock says
    now = nowMs + 3 * yearMs;
    expect(await memory.prune(now, { signal })).toMatchObject({ interact: 0 });
    expect(await texts(memory, 'heron')).toHaveLength(2);
  });
});

describe('memory and texts of any size', () => {
  it('cuts a text of 50 MB, and finds its beginning', async () => {
    await using memory = await open(newFolder());
    const long = `the heron ${'stands in the water '.repeat(2_500_000)}`;
    expect(long.length).toBeGreaterThan(50_000_000);
    await memory.remember([turn(long)], { signal });
    expect(await texts(memory, 'heron')).toEqual([long.slice(0, 32_768)]);
    await memory.flush({ signal });
    expect(await texts(memory, 'heron')).toEqual([long.slice(0, 32_768)]);
    expect(await texts(memory, long)).toHaveLength(1);
  });
});

describe('memory and filters', { timeout: 60_000 }, () => {
  const hostile = [
    "'",
    "''",
    "x' OR '1'='1",
    "x'; DROP TABLE interact; --",
    '; --',
    '--',
    '/* */',
    '\\',
    "\\'",
    '%',
    '_',
    '"',
    '`id`',
    ') OR (true',
    '\u0000',
    '東京',
    'пароль',
    '😀',
    'a\nb',
  ];
  const fields: [string, (value: string) => MemoryFilter, (value: string) => object][] = [
    ['project', (project) => ({ project }), (project) => ({ project })],
    ['session', (session) => ({ session }), (session) => ({ session })],
    ['source', (source) => ({ source }), (source) => ({ source })],
    ['run', (run) => ({ run }), (run) => ({ run })],
    ['kinds', (kind) => ({ kinds: [kind, 'none'] }), (kind) => ({ kind })],
    ['tags', (tag) => ({ tags: [tag] }), (tag) => ({ tags: ['other', tag] })],
  ];

  it.each(fields)('takes every sign in %s as itself', async (_name, filterOf, recordOf) => {
    await using memory = await open(newFolder());
    const records = hostile.map((value, at) => turn(`heron ${at}`, recordOf(value)));
    await memory.remember([turn('plain heron'), ...records], { signal });
    for (const when of ['waiting', 'in the table']) {
      for (const [at, value] of hostile.entries()) {
        const filter = filterOf(value);
        const found = await texts(memory, 'heron', filter);
        const listed = await memory.list(filter, { signal, limit: 99 });
        expect([when, value, found]).toEqual([when, value, [`heron ${at}`]]);
        expect(listed.map(({ record }) => record.text)).toEqual([`heron ${at}`]);
      }
      expect(await texts(memory, 'heron', filterOf('not there'))).toEqual([]);
      await memory.flush({ signal });
    }
    const gone = await memory.forget(filterOf(hostile[3] ?? ''), { signal });
    expect(gone).toEqual({ interact: 1, insights: 0, assets: 0 });
    expect((await memory.count({}, { signal })).interact).toBe(hostile.length);
  });

  it.each(hostile)('takes %j for no id and no start of one', async (value) => {
    await using memory = await open(newFolder());
    await memory.remember([turn('heron')], { signal });
    for (const when of ['waiting', 'in the table']) {
      for (const filter of [{ ids: [value] }, { idStart: value }]) {
        expect([when, await texts(memory, 'heron', filter)]).toEqual([when, []]);
        expect(await memory.list(filter, { signal, limit: 9 })).toEqual([]);
      }
      await memory.flush({ signal });
    }
  });
});
