import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlushableMemory, MemoryEmbedder } from '../../src/contracts/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import type { SharedStorage } from '../../src/memory/tables/shared-place.ts';
import { openStore, type StoreWithJournal } from '../../src/store/open-store.ts';
import { runChild } from './children/run-child.ts';
import { never, nowMs, turn } from './memory.contract.ts';
import {
  bringServer,
  hasServer,
  type ObjectStore,
  openObjectStore,
} from './support/object-store.ts';

const top = mkdtempSync(join(tmpdir(), 'cuervo-shared-'));
const signal = never;
let made = 0;
const newFolder = () => {
  const folder = join(top, `${made++}`);
  mkdirSync(folder);
  return folder;
};

type Machine = FlushableMemory & { store: StoreWithJournal; warnings: string[] };

async function openMachine(
  shared: SharedStorage,
  options: { folder?: string; embedder?: MemoryEmbedder } = {},
): Promise<Machine> {
  const { folder = newFolder(), embedder } = options;
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const warnings: string[] = [];
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    shared,
    journal: store.memoryJournal,
    clock: { nowMs: () => nowMs },
    warn: (message) => warnings.push(message),
    ...(embedder === undefined ? {} : { embedder: async () => embedder }),
  });
  const close = async () => {
    await memory[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  return { ...memory, store, warnings, [Symbol.asyncDispose]: close };
}

const texts = async (memory: FlushableMemory, text: string, filter = {}) =>
  (await memory.search({ text, limit: 32, ...filter }, { signal })).map((hit) => hit.text);
const asset = (text: string) => turn(text, { layer: 'assets', source: 'docs/a.md' });

function embedder(name: string): MemoryEmbedder {
  const embed = async (all: readonly string[]) =>
    all.map(() => Float32Array.from({ length: 8 }, (_, at) => (at === 0 ? 1 : 0)));
  return {
    name,
    dimensions: 8,
    alpha: 0.4,
    cosineFloor: 0,
    perhapsCosine: 0.3,
    sureCosine: 0.5,
    rerankShare: 0.5,
    embed,
  };
}

describe.skipIf(!hasServer)(
  `openMemory() and an object store (skipped without a server: ${bringServer})`,
  { timeout: 120_000 },
  () => {
    let server: ObjectStore;
    beforeAll(async () => {
      server = await openObjectStore();
    });
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
    });

    it('finds on each machine what the other added, and keeps turns to the machine they were said on', async () => {
      const shared = server.storage('found');
      await using here = await openMachine(shared);
      await here.remember([turn('the turn of here'), asset('the frog of here')], { signal });
      // on its way without being asked: others wait for it
      expect(await here.flush({ signal })).toEqual({ moved: 0, pending: 0 });
      const storage = JSON.stringify(shared);
      const steps = ['search:frog turn', 'add:there:0:3', 'search:frog turn heron'];
      const there = runChild('./be-machine.ts', [newFolder(), storage, ...steps]);
      const { stdout, stderr, code } = await there.ended;
      expect([code, stderr]).toEqual([0, '']);
      const [first, , second] = stdout.trim().split('\n');
      expect(JSON.parse(first ?? '')).toEqual(['the frog of here']);
      expect(JSON.parse(second ?? '').toSorted()).toEqual([
        'the frog of here',
        'there heron 0',
        'there heron 1',
        'there heron 2',
      ]);
      expect((await texts(here, 'heron turn')).toSorted()).toEqual([
        'the turn of here',
        'there heron 0',
        'there heron 1',
        'there heron 2',
      ]);
      const [interact, , assets] = await here.stats({ signal });
      expect([interact?.rows, assets?.rows]).toEqual([1, 4]);
      expect(assets?.bytes).toBeGreaterThan(100);
    });

    it('has each row once when two machines write the same and other rows at once', async () => {
      const shared = server.storage('together');
      const storage = JSON.stringify(shared);
      const machines = ['a', 'b'].map((own) =>
        runChild('./be-machine.ts', [newFolder(), storage, 'add:same:0:30', `add:${own}:0:10`]),
      );
      for (const { ended } of machines) expect((await ended).code).toBe(0);
      const connection = await connect(shared.uri, { storageOptions: shared.options });
      const table = await connection.openTable('assets');
      const rows: { text: string }[] = await table.query().select(['text']).toArray();
      connection.close();
      expect(rows).toHaveLength(50);
      expect(new Set(rows.map(({ text }) => text)).size).toBe(50);
    });

    it('brings single pieces of files over without being asked', async () => {
      const shared = server.storage('ingested');
      await using one = await openMachine(shared);
      const claim = () => new Set<string>();
      await one.ingest([asset('the heron'), asset('the stork')], { signal, claim });
      expect(await one.flush({ signal })).toEqual({ moved: 0, pending: 0 });
      await using other = await openMachine(shared);
      expect(await texts(other, 'heron')).toEqual(['the heron']);
    });

    it('forgets on one machine what the other added', async () => {
      const shared = server.storage('forgotten');
      await using one = await openMachine(shared);
      await using other = await openMachine(shared);
      await one.remember([asset('the heron'), asset('the stork')], { signal });
      await one.flush({ signal });
      expect(await texts(other, 'heron')).toEqual(['the heron']);
      expect(await other.forget({ source: 'docs/a.md' }, { signal })).toMatchObject({ assets: 2 });
      expect(await texts(one, 'heron')).toEqual([]);
    });

    it('keeps the rows of a machine with another embedder apart, and says so', async () => {
      const shared = server.storage('embedders');
      await using one = await openMachine(shared, { embedder: embedder('one') });
      await one.remember([asset('the heron')], { signal });
      await one.flush({ signal });
      await using other = await openMachine(shared, { embedder: embedder('other') });
      await other.remember([asset('the stork')], { signal });
      await expect(other.flush({ signal })).rejects.toMatchObject({
        code: 'conflict',
        hint: expect.stringContaining('cuervo memory reembed'),
      });
      expect(await texts(other, 'heron')).toEqual(['the heron']);
      // the row of the other machine, and the one that waited
      expect(await other.reembed({ signal })).toBe(2);
      expect(await texts(other, 'stork')).toEqual(['the stork', 'the heron']);
      const [hit] = await other.search({ text: 'stork', limit: 1 }, { signal });
      expect(hit?.factors.cosine).toBeCloseTo(1, 6);
    });

    it('loses nothing with the connection, says what to do, and goes on when it is back', async () => {
      const shared = server.storage('lost');
      await using here = await openMachine(shared);
      await here.remember([turn('the heron of here'), asset('the heron of all')], { signal });
      await here.flush({ signal });
      expect(await texts(here, 'heron')).toHaveLength(2);
      await server.cut();
      try {
        await here.remember([asset('the stork of all'), turn('the stork of here')], { signal });
        const lost = {
          code: 'unavailable',
          message: `the shared memory in ${shared.uri} cannot be reached`,
          hint: expect.stringMatching(/network.*AWS_ENDPOINT.*cuervo\.db/),
        };
        // what this machine has moves anyway
        await expect(here.flush({ signal })).rejects.toMatchObject(lost);
        expect(here.store.memoryJournal.count()).toBe(1);
        await expect(texts(here, 'heron', { layer: 'assets' })).rejects.toMatchObject(lost);
        const kept = /^memory keeps its rows in the store for now: .*cannot be reached/;
        expect(here.warnings).toEqual([expect.stringMatching(kept)]);
        // what waits is searched, too
        expect((await texts(here, 'heron stork')).toSorted()).toEqual([
          'the heron of here',
          'the stork of all',
          'the stork of here',
        ]);
        expect(here.warnings.slice(1)).toEqual([
          expect.stringMatching(
            /^only the memory of this machine is searched: .*cannot be reached/,
          ),
        ]);
      } finally {
        await server.mend();
      }
      expect(await here.flush({ signal })).toEqual({ moved: 1, pending: 0 });
      await using there = await openMachine(shared);
      expect((await texts(there, 'heron stork')).toSorted()).toEqual([
        'the heron of all',
        'the stork of all',
      ]);
    });

    it('keeps pieces of files while the connection is lost, up to a limit, and moves them later', async () => {
      const shared = server.storage('lost-pieces');
      const claim = () => new Set<string>();
      const pieces = (count: number, name: string) =>
        Array.from({ length: count }, (_, n) => asset(`${name} ${n}`));
      await using here = await openMachine(shared);
      // control: so many go to their table at once
      await here.ingest(pieces(100, 'heron'), { signal, claim });
      expect(here.store.memoryJournal.count()).toBe(0);
      await server.cut();
      try {
        await here.ingest(pieces(100, 'stork'), { signal, claim });
        expect(here.store.memoryJournal.count()).toBe(100);
        const kept = /^memory keeps its rows in the store for now: .*cannot be reached/;
        expect(here.warnings).toEqual([expect.stringMatching(kept)]);
        expect(await texts(here, 'stork 7')).toContain('stork 7');
        await expect(here.ingest(pieces(1_901, 'crane'), { signal, claim })).rejects.toMatchObject({
          code: 'unavailable',
          message: `the shared memory in ${shared.uri} cannot be reached, and 100 rows wait for it, limit 2000`,
          hint: expect.stringMatching(/^Add it again when/),
        });
        expect(here.store.memoryJournal.count()).toBe(100);
      } finally {
        await server.mend();
      }
      expect(await here.flush({ signal })).toEqual({ moved: 100, pending: 0 });
      await using there = await openMachine(shared);
      expect(await there.count({ layer: 'assets' }, { signal })).toMatchObject({ assets: 200 });
    });

    it('names a bucket that is not there', async () => {
      const { options } = server.storage('x');
      await using here = await openMachine({ uri: 's3://no-such-bucket/memory', options });
      await here.remember([asset('the heron')], { signal });
      await expect(here.flush({ signal })).rejects.toMatchObject({
        code: 'unavailable',
        message: 'the shared memory in s3://no-such-bucket/memory has no bucket',
        hint: expect.stringContaining('memory.uri'),
      });
      expect(here.store.memoryJournal.count()).toBe(1);
    });
  },
);

afterAll(() => rmSync(top, { recursive: true, force: true }));
