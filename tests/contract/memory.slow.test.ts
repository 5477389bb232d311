import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, describe, expect, it } from 'vitest';
import type { FlushableMemory } from '../../src/contracts/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import type { SharedStorage } from '../../src/memory/tables/shared-place.ts';
import { openStore, type StoreWithJournal } from '../../src/store/open-store.ts';
import { runChild } from './children/run-child.ts';
import { memoryContract, never, nowMs, turn } from './memory.contract.ts';

const top = mkdtempSync(join(tmpdir(), 'cuervo-memory-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));
let made = 0;
const newFolder = () => {
  const folder = join(top, `${made++}`);
  mkdirSync(folder);
  return folder;
};

/** Memory and store of a folder, which end together. */
async function open(
  folder: string,
  warnings: string[] = [],
  shared?: SharedStorage,
): Promise<Opened> {
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    ...(shared === undefined ? {} : { shared }),
    journal: store.memoryJournal,
    clock: { nowMs: () => nowMs },
    warn: (message) => warnings.push(message),
  });
  const close = async () => {
    await memory[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  return { ...memory, store, [Symbol.asyncDispose]: close };
}
type Opened = FlushableMemory & { store: StoreWithJournal };

/** The ids that LanceDB itself has, sorted. */
async function indexedIds(folder: string): Promise<string[]> {
  const connection = await connect(join(folder, 'lancedb'));
  const table = await connection.openTable('interact');
  const rows: { id: string }[] = await table.query().select(['id']).toArray();
  connection.close();
  return rows.map(({ id }) => id).sort();
}

memoryContract('openMemory(), rows in the journal', () => open(newFolder()));
memoryContract('openMemory(), rows in LanceDB', async () => {
  const memory = await open(newFolder());
  return {
    ...memory,
    remember: async (records, options) => {
      const ids = await memory.remember(records, options);
      await memory.flush(options);
      expect(memory.store.memoryJournal.count()).toBe(0);
      return ids;
    },
  };
});
memoryContract('openMemory(), rows in both', async () => {
  const memory = await open(newFolder());
  return {
    ...memory,
    remember: async (records, options) => {
      // a batch is refused as a whole
      const refused = records.some(({ text, ts }) => text.trim() === '' || Number.isNaN(ts));
      const half = refused ? records.length : Math.ceil(records.length / 2);
      const ids = await memory.remember(records.slice(0, half), options);
      await memory.flush(options);
      return [...ids, ...(await memory.remember(records.slice(half), options))];
    },
  };
});

describe('openMemory() and its index', { timeout: 60_000 }, () => {
  it('moves rows over at the 96th, once each, and says how many', async () => {
    const folder = newFolder();
    await using memory = await open(folder);
    const records = Array.from({ length: 95 }, (_, n) => turn(`heron ${n}`));
    const ids = await memory.remember(records, { signal: never });
    expect(memory.store.memoryJournal.count()).toBe(95);
    expect(existsSync(join(folder, 'lancedb'))).toBe(false);
    ids.push(...(await memory.remember([turn('heron last')], { signal: never })));
    // nobody waited for it, and it has begun
    expect(await memory.flush({ signal: never })).toEqual({ moved: 0, pending: 0 });
    expect(await indexedIds(folder)).toEqual(ids.toSorted());
    await memory.remember([turn('frog')], { signal: never });
    expect(await memory.flush({ signal: never })).toEqual({ moved: 1, pending: 0 });
    expect(await memory.flush({ signal: never })).toEqual({ moved: 0, pending: 0 });
  });

  it('does not load LanceDB to write and to search what is pending', async () => {
    const steps = ['remember:a:0:3', 'search:heron', 'loaded', 'flush', 'loaded', 'search:heron'];
    const { stdout, stderr } = await runChild('./use-memory.ts', [newFolder(), ...steps]).ended;
    const [, found, before, , after, again] = stdout.trim().split('\n');
    expect(JSON.parse(found!)).toHaveLength(3);
    expect(JSON.parse(again!).toSorted()).toEqual(JSON.parse(found!).toSorted());
    // nor does it chatter on stderr
    expect([before, after, stderr]).toEqual(['false', 'true', '']);
  });

  it('finds at once what another process remembers, before and after it moves', async () => {
    const folder = newFolder();
    await using memory = await open(folder);
    await memory.remember([turn('frog')], { signal: never });
    await memory.flush({ signal: never });
    const texts = async () =>
      (await memory.search({ text: 'heron', limit: 9 }, { signal: never })).map(({ text }) => text);
    expect(await texts()).toEqual([]);
    const child = runChild('./use-memory.ts', [folder, 'remember:a:0:1', 'wait', 'flush', 'wait']);
    await child.printed('waiting');
    expect(memory.store.memoryJournal.count()).toBe(1);
    expect(await texts()).toEqual(['a heron 0']);
    child.process.stdin?.write('\n');
    await child.printed('"pending":0');
    expect(memory.store.memoryJournal.count()).toBe(0);
    expect(await texts()).toEqual(['a heron 0']);
    child.process.stdin?.write('\n');
    expect((await child.ended).code).toBe(0);
  });

  it('shows a row that is in both places once, in its newer form', async () => {
    await using memory = await open(newFolder());
    await memory.remember([turn('heron', { run: 'r1' })], { signal: never });
    await memory.flush({ signal: never });
    await memory.remember([turn('heron', { run: 'r2' })], { signal: never });
    const hits = await memory.search({ text: 'heron', limit: 9 }, { signal: never });
    expect(hits.map(({ run }) => run)).toEqual(['r2']);
    await memory.flush({ signal: never });
    const after = await memory.search({ text: 'heron', limit: 9 }, { signal: never });
    expect(after.map(({ run }) => run)).toEqual(['r2']);
  });

  it('keeps the table compact over many flushes', async () => {
    const folder = newFolder();
    await using memory = await open(folder);
    for (let batch = 0; batch < 40; batch++) {
      await memory.remember([turn(`heron ${batch}`), turn('the same again')], { signal: never });
      await memory.flush({ signal: never });
    }
    expect(await indexedIds(folder)).toHaveLength(41);
    const connection = await connect(join(folder, 'lancedb'));
    const table = await connection.openTable('interact');
    expect((await table.stats()).fragmentStats.numFragments).toBeLessThanOrEqual(16);
    connection.close();
    const hits = await memory.search({ text: 'heron', limit: 32 }, { signal: never });
    expect(hits).toHaveLength(32);
  });
});

describe('openMemory() when processes die or meet', { timeout: 60_000 }, () => {
  it('has every row of a writer that was killed before it moved them', async () => {
    const folder = newFolder();
    const child = runChild('./use-memory.ts', [folder, 'remember:a:0:10', 'wait']);
    await child.printed('waiting');
    child.process.kill('SIGKILL');
    expect((await child.ended).signal).toBe('SIGKILL');
    await using memory = await open(folder);
    expect(await memory.search({ text: 'heron', limit: 32 }, { signal: never })).toHaveLength(10);
    expect(await memory.flush({ signal: never })).toEqual({ moved: 10, pending: 0 });
    expect(await memory.search({ text: 'heron', limit: 32 }, { signal: never })).toHaveLength(10);
  });

  it('makes no duplicate of rows whose mover was killed between index and journal', async () => {
    const folder = newFolder();
    const child = runChild('./use-memory.ts', [folder, 'remember:a:0:10', 'stuck-flush']);
    await child.printed('written');
    await using memory = await open(folder);
    const found = () => memory.search({ text: 'heron', limit: 32 }, { signal: never });
    // it holds the lock as long as it lives
    expect(await memory.flush({ signal: never })).toEqual({ moved: undefined, pending: 10 });
    expect(await found()).toHaveLength(10);
    child.process.kill('SIGKILL');
    await child.ended;
    expect(memory.store.memoryJournal.count()).toBe(10);
    expect(await indexedIds(folder)).toHaveLength(10);
    expect(await memory.flush({ signal: never })).toEqual({ moved: 10, pending: 0 });
    expect(new Set(await indexedIds(folder)).size).toBe(10);
    expect(await indexedIds(folder)).toHaveLength(10);
    expect(await found()).toHaveLength(10);
  });

  it.each([0, 20, 40, 80, 120, 160])(
    'is whole after a mover was killed %d ms into its first flush',
    async (delayMs) => {
      const folder = newFolder();
      const child = runChild('./use-memory.ts', [folder, 'remember:a:0:20', 'wait', 'flush']);
      await child.printed('waiting');
      child.process.stdin?.write('\n');
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      child.process.kill('SIGKILL');
      await child.ended;
      await using memory = await open(folder);
      expect(await memory.search({ text: 'heron', limit: 32 }, { signal: never })).toHaveLength(20);
      await memory.flush({ signal: never });
      expect(memory.store.memoryJournal.count()).toBe(0);
      expect(await indexedIds(folder)).toHaveLength(20);
      expect(await memory.search({ text: 'heron', limit: 32 }, { signal: never })).toHaveLength(20);
    },
  );

  it('has each row once when two processes write and move the same and other rows', async () => {
    const folder = newFolder();
    const rounds = [0, 40, 80, 120, 160].flatMap((from) => [
      `remember:same:${from}:${from + 40}`,
      'flush',
    ]);
    const children = ['a', 'b'].map((own) =>
      runChild('./use-memory.ts', [folder, `remember:${own}:0:70`, ...rounds]),
    );
    for (const { ended } of children) {
      const { code, stdout, stderr } = await ended;
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toContain('warning');
    }
    await using memory = await open(folder);
    await memory.flush({ signal: never });
    const ids = await indexedIds(folder);
    expect(ids).toHaveLength(70 + 70 + 200);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps a row that is written again while the earlier one moves', async () => {
    const { memoryJournal: journal } = openStore({ path: ':memory:' });
    journal.append([{ id: 'x', record: turn('heron') }]);
    const moving = journal.pending({ limit: 9, order: 'oldest' });
    journal.append([{ id: 'x', record: turn('heron', { run: 'r2' }) }]);
    journal.remove(moving.map(({ seq }) => seq));
    expect(journal.pending({ limit: 9, order: 'newest' }).map(({ record }) => record.run)).toEqual([
      'r2',
    ]);
  });
});

describe('openMemory() where the index cannot be used', { timeout: 60_000 }, () => {
  const batch = Array.from({ length: 96 }, (_, n) => turn(`heron ${n}`));

  it('keeps rows in the store and warns when they cannot be moved', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'lancedb'), 'in the way');
    const warnings: string[] = [];
    await using memory = await open(folder, warnings);
    expect(await memory.remember(batch, { signal: never })).toHaveLength(96);
    expect(memory.store.memoryJournal.count()).toBe(96);
    expect(await memory.search({ text: 'heron', limit: 32 }, { signal: never })).toHaveLength(32);
    await expect(memory.flush({ signal: never })).rejects.toMatchObject({ code: 'unavailable' });
    expect(warnings).toEqual([
      expect.stringContaining(`the memory in ${join(folder, 'lancedb')} `),
    ]);
    rmSync(join(folder, 'lancedb'));
    expect(await memory.flush({ signal: never })).toEqual({ moved: 96, pending: 0 });
  });

  it.each([
    ['this machine', { isShared: false }],
    ['several machines', { isShared: true }],
  ])(
    'takes a table of %s that a killed process left without a version for none',
    async (_where, { isShared }) => {
      const folder = newFolder();
      const tables = join(folder, isShared ? 'shared' : 'lancedb');
      const shared = isShared ? { uri: tables, options: {} } : undefined;
      const asset = (text: string) => turn(text, { layer: 'assets', source: 'a.md' });
      if (isShared) {
        // their names are kept by then
        await using memory = await open(folder, [], shared);
        await memory.remember([asset('the heron')], { signal: never });
        await memory.flush({ signal: never });
      }
      for (const layer of ['insights', 'assets']) {
        rmSync(join(tables, `${layer}.lance`), { recursive: true, force: true });
        mkdirSync(join(tables, `${layer}.lance`, '_versions'), { recursive: true });
        writeFileSync(join(tables, `${layer}.lance`, '_versions', '.tmp_1.manifest_x'), 'half');
      }
      const warnings: string[] = [];
      await using memory = await open(folder, warnings, shared);
      expect(await memory.search({ text: 'heron', limit: 3 }, { signal: never })).toEqual([]);
      expect(await memory.count({}, { signal: never })).toMatchObject({ insights: 0, assets: 0 });
      await memory.remember([asset('the stork')], { signal: never });
      await memory.flush({ signal: never });
      const hits = await memory.search({ text: 'stork', limit: 3 }, { signal: never });
      expect(hits.map(({ text }) => text)).toEqual(['the stork']);
      expect(memory.store.memoryJournal.count()).toBe(0);
      expect(warnings).toEqual([]);
    },
  );

  it('finds the oldest of many rows, while they wait and when their table is broken', async () => {
    const folder = newFolder();
    const many = Array.from({ length: 5_200 }, (_, n) => turn(`stork ${n}`, { ts: nowMs + n + 1 }));
    const first = async (memory: FlushableMemory) =>
      (await memory.search({ text: 'The herons?', limit: 3 }, { signal: never }))[0]?.text;
    {
      await using memory = await open(folder);
      const rows = [turn('the heron stands'), ...many].map((record, n) => ({ id: `${n}`, record }));
      memory.store.memoryJournal.append(rows);
      expect(await first(memory)).toBe('the heron stands');
      await memory.flush({ signal: never });
    }
    rmSync(join(folder, 'lancedb', 'interact.lance', 'data'), { recursive: true });
    const warnings: string[] = [];
    await using memory = await open(folder, warnings);
    expect(await first(memory)).toBe('the heron stands');
    expect(warnings).toEqual([expect.stringContaining('cuervo memory rebuild')]);
  });

  it('takes away what a killed process left of a table that it dropped', async () => {
    const folder = newFolder();
    const left = join(folder, 'lancedb', 'dropped', 'interact.lance-1', 'data');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'rows.lance'), 'what was forgotten');
    await using memory = await open(folder);
    expect(await memory.search({ text: 'heron', limit: 3 }, { signal: never })).toEqual([]);
    await memory.remember([turn('the heron')], { signal: never });
    await memory.flush({ signal: never });
    expect(existsSync(join(folder, 'lancedb', 'dropped'))).toBe(false);
    expect((await memory.rebuild({ signal: never })).rows).toBe(1);
    expect(readdirSync(join(folder, 'lancedb'))).not.toContain('dropped');
  });

  it('says in one sentence that the index is damaged, and finds what the store has', async () => {
    const folder = newFolder();
    {
      await using memory = await open(folder);
      await memory.remember(batch, { signal: never });
    }
    const versions = join(folder, 'lancedb', 'interact.lance', '_versions');
    for (const name of readdirSync(versions)) writeFileSync(join(versions, name), 'garbage');
    await using memory = await open(folder);
    const hits = await memory.search({ text: 'heron', limit: 1 }, { signal: never });
    expect(hits).toHaveLength(1);
    const error: unknown = await memory.count({}, { signal: never }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'KernelError', code: 'unavailable' });
    expect(error).toMatchObject({
      message: expect.stringMatching(/^the memory in \S+ cannot be used: [^\n]{1,160}$/),
      hint: expect.stringContaining('cuervo memory rebuild'),
    });
  });

  const mount = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k none "$0" && exec "$@"'];
  const canMount = spawnSync(mount[0]!, [...mount.slice(1), top, 'true']).status === 0;
  it.skipIf(!canMount)(
    'keeps rows when the disk of the index is full (skipped where a tmpfs cannot be mounted)',
    async () => {
      const folder = newFolder();
      mkdirSync(join(folder, 'lancedb'));
      const command = [...mount, join(folder, 'lancedb'), process.execPath];
      const steps = ['remember:a:0:300', 'flush', 'search:heron'];
      const { stdout } = await runChild('./use-memory.ts', [folder, ...steps], command).ended;
      expect(stdout).toContain('cannot grow: the disk is full');
      expect(stdout).toContain('"code":"resource-exhausted"');
      await using memory = await open(folder);
      expect(memory.store.memoryJournal.count()).toBeGreaterThan(0);
      expect(await memory.search({ text: 'heron', limit: 32 }, { signal: never })).toHaveLength(32);
    },
  );
});
