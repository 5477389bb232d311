import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FlushableMemory, MemoryEmbedder } from '../../src/contracts/memory.ts';
import type { Retention } from '../../src/memory/layers.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openStore, type StoreWithJournal } from '../../src/store/open-store.ts';
import { memoryContract, never, nowMs, turn } from './memory.contract.ts';

const top = mkdtempSync(join(tmpdir(), 'cuervo-layers-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));
let made = 0;
const newFolder = () => {
  const folder = join(top, `${made++}`);
  mkdirSync(folder);
  return folder;
};
const hourMs = 3_600_000;
const signal = never;

/** Knows four meanings, one a dimension; words of one meaning are equal, other texts say nothing. */
function meaningEmbedder(name = 'meanings', dimensions = 8): MemoryEmbedder {
  const meanings = [/bird|heron/i, /deploy|release/i, /limit|bound/i, /colour|paint/i];
  return {
    name,
    dimensions,
    alpha: 0.4,
    cosineFloor: 0,
    rerankShare: 0.5,
    perhapsCosine: 0.3,
    sureCosine: 0.5,
    embed: async (texts) =>
      texts.map((text) => {
        const vector = new Float32Array(dimensions);
        for (const [at, meaning] of meanings.entries()) vector[at] = meaning.test(text) ? 1 : 0;
        const length = Math.hypot(...vector);
        return length === 0 ? vector : vector.map((value) => value / length);
      }),
  };
}

type Opened = FlushableMemory & { store: StoreWithJournal };

async function open(
  folder: string,
  options: {
    embedder?: MemoryEmbedder | undefined;
    warnings?: string[];
    nowMs?: number;
    retention?: Retention;
  } = {},
): Promise<Opened> {
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const { embedder, warnings = [] } = options;
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: () => options.nowMs ?? nowMs },
    warn: (message) => warnings.push(message),
    ...(embedder === undefined ? {} : { embedder: async () => embedder }),
    ...(options.retention === undefined ? {} : { retention: options.retention }),
  });
  const close = async () => {
    await memory[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  return { ...memory, store, [Symbol.asyncDispose]: close };
}

/** Says nothing of any text, so that what is true without vectors must stay true. */
const blind: MemoryEmbedder = {
  ...meaningEmbedder('blind'),
  embed: async (texts) => texts.map(() => new Float32Array(8)),
};

memoryContract('openMemory(), with an embedder that reads nothing', async () => {
  const memory = await open(newFolder(), { embedder: blind });
  return {
    ...memory,
    remember: async (records, options) => {
      const ids = await memory.remember(records, options);
      await memory.flush(options);
      return ids;
    },
  };
});

describe.each(['in the journal', 'in LanceDB'])('search() of rows %s, by meaning', (where) => {
  const filled = async (): Promise<Opened> => {
    const memory = await open(newFolder(), { embedder: meaningEmbedder() });
    await memory.remember(
      [
        turn('the heron stands in the water', { session: 's1', tags: ["it's", 'a'], kind: 'note' }),
        turn('never deploy on Fridays', { session: 's2', ts: nowMs - 10 * hourMs }),
        turn('paint the door', { project: '/q' }),
      ],
      { signal },
    );
    if (where === 'in LanceDB') {
      expect(await memory.flush({ signal })).toEqual({ moved: 3, pending: 0 });
    }
    return memory;
  };

  it('finds what shares no word, and shows the cosine', async () => {
    await using memory = await filled();
    const hits = await memory.search({ text: 'which bird?', limit: 9 }, { signal });
    expect(hits.map(({ text }) => text)).toEqual(['the heron stands in the water']);
    expect(hits[0]?.factors.cosine).toBeCloseTo(1, 6);
    expect(hits[0]?.factors).toMatchObject({ bm25: 0, layerWeight: 1.2, decay: 1 });
    // of a fact, of other rows less
    expect(hits[0]?.factors.fused).toBeCloseTo(0.8, 6);
  });

  it('gives a hit of both arms both scores', async () => {
    await using memory = await filled();
    const hits = await memory.search({ text: 'when to deploy the bird', limit: 9 }, { signal });
    expect(hits.map(({ text }) => text).sort()).toEqual([
      'never deploy on Fridays',
      'the heron stands in the water',
    ]);
    const deploy = hits.find(({ text }) => text.startsWith('never'));
    expect(deploy?.factors.bm25).toBeGreaterThan(0);
    expect(deploy?.factors.cosine).toBeCloseTo(Math.SQRT1_2, 6);
    expect(deploy?.factors.fused).toBeCloseTo(1, 6);
  });

  it.each([
    [{ project: '/q' }, []],
    [{ session: 's2' }, []],
    [{ session: 's1' }, ['heron']],
    [{ kinds: ['note'] }, ['heron']],
    [{ kinds: ['answer'] }, []],
    [{ tags: ["it's"] }, ['heron']],
    [{ tags: ["it's", 'b'] }, []],
    [{ sinceMs: nowMs - hourMs }, ['heron']],
    [{ beforeMs: nowMs }, []],
    [{ layer: 'interact' as const }, ['heron']],
    [{ layer: 'insights' as const }, []],
    [{ source: "x' OR '1'='1" }, []],
    [{ tags: ["x') OR true --"] }, []],
  ])('narrows the neighbours by %o', async (filter, expected) => {
    await using memory = await filled();
    const hits = await memory.search({ text: 'bird', limit: 9, ...filter }, { signal });
    expect(hits.map(({ text }) => (text.includes('heron') ? 'heron' : text))).toEqual(expected);
  });
});

describe('openMemory() and its embedder', () => {
  const other = meaningEmbedder('others', 16);

  it('keeps the rows of another embedder apart, searches by words and says what mends it', async () => {
    const folder = newFolder();
    {
      await using memory = await open(folder, { embedder: meaningEmbedder() });
      await memory.remember([turn('the heron')], { signal });
      await memory.flush({ signal });
    }
    const warnings: string[] = [];
    await using memory = await open(folder, { embedder: other, warnings });
    await memory.remember([turn('a green frog')], { signal });
    await expect(memory.flush({ signal })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('holds vectors of meanings (8 dimensions)'),
      hint: expect.stringContaining('cuervo memory reembed'),
    });
    const search = async (text: string) =>
      (await memory.search({ text, limit: 9 }, { signal })).map((hit) => hit.text);
    expect(await search('bird')).toEqual([]);
    expect(await search('heron')).toEqual(['the heron']);
    expect(await search('frog')).toEqual(['a green frog']);
    expect(warnings).toEqual([expect.stringContaining('searched by words alone')]);
  });

  it('reembed() moves all rows to another embedder, goes on after an interruption, and loses none', async () => {
    const folder = newFolder();
    const texts = Array.from({ length: 1_200 }, (_, n) => `row ${n} of the heron`);
    {
      await using memory = await open(folder, { embedder: meaningEmbedder() });
      await memory.remember(
        texts.map((text) => turn(text)),
        { signal },
      );
      await memory.flush({ signal });
    }
    const stop = new AbortController();
    {
      await using memory = await open(folder, { embedder: other });
      const stopped = memory.reembed({ signal: stop.signal, onProgress: () => stop.abort() });
      await expect(stopped).rejects.toMatchObject({ code: 'canceled' });
      // until it is whole, the old table serves
      const hits = await memory.search({ text: 'heron', limit: 32 }, { signal });
      expect(hits).toHaveLength(32);
      await memory.remember([turn('said meanwhile')], { signal });
      await memory.forget(
        { ids: [(await memory.list({}, { signal, limit: 9 }))[5]!.id] },
        { signal },
      );
    }
    await using memory = await open(folder, { embedder: other });
    const done: number[] = [];
    const made = await memory.reembed({ signal, onProgress: (at) => done.push(at.done) });
    // 500 were there already; one of them or of the rest is forgotten, one was waiting
    expect([699, 700, 701]).toContain(made);
    expect(done.at(-1)).toBe(1_199);
    expect((await memory.count({}, { signal })).interact).toBe(1_200);
    const [hit] = await memory.search({ text: 'which bird?', limit: 1 }, { signal });
    expect(hit?.factors.cosine).toBeCloseTo(1, 6);
    expect((await memory.stats({ signal }))[0]).toMatchObject({
      embedder: 'others',
      dimensions: 16,
    });
    expect(await memory.reembed({ signal })).toBe(0);
  }, 60_000);

  it('moves what waits when a flush begins, and leaves the rest to the next one', async () => {
    const meaning = meaningEmbedder();
    const late = [turn('heron late')];
    const embed: typeof meaning.embed = async (texts, options) => {
      // a turn is said while others are on their way
      for (const record of late.splice(0)) await memory.remember([record], { signal });
      return await meaning.embed(texts, options);
    };
    await using memory = await open(newFolder(), { embedder: { ...meaning, embed } });
    await memory.remember([turn('heron one'), turn('heron two')], { signal });
    expect(await memory.flush({ signal })).toEqual({ moved: 2, pending: 1 });
    expect(await memory.search({ text: 'heron', limit: 9 }, { signal })).toHaveLength(3);
    expect(await memory.flush({ signal })).toEqual({ moved: 1, pending: 0 });
  });

  it('keeps rows in the store when the embedder fails or answers with other sizes', async () => {
    for (const embed of [
      () => Promise.reject(new Error('the embedder died')),
      async (texts: readonly string[]) => texts.map(() => new Float32Array(3).fill(0.5)),
    ]) {
      const folder = newFolder();
      const warnings: string[] = [];
      {
        const embedder = { ...meaningEmbedder(), embed };
        await using memory = await open(folder, { embedder, warnings });
        const records = Array.from({ length: 96 }, (_, n) => turn(`heron ${n}`));
        expect(await memory.remember(records, { signal })).toHaveLength(96);
        await expect(memory.flush({ signal })).rejects.toThrow();
        expect(memory.store.memoryJournal.count()).toBe(96);
        expect(warnings).toEqual([expect.stringMatching(/^memory keeps its rows in the store/)]);
      }
      await using memory = await open(folder, { embedder: meaningEmbedder() });
      expect(await memory.flush({ signal })).toEqual({ moved: 96, pending: 0 });
      const hits = await memory.search({ text: 'bird', limit: 32 }, { signal });
      expect(hits).toHaveLength(32);
    }
  });
});

describe('openMemory() and models that fail', () => {
  const records = ['heron one', 'heron two', 'heron three'].map((text) => turn(text));
  const found = async (memory: FlushableMemory) =>
    (await memory.search({ text: 'heron', limit: 9 }, { signal })).map(({ text }) => text).sort();
  const all = ['heron one', 'heron three', 'heron two'];

  it('searches by words, and says so, where the question gets no vector', async () => {
    const warnings: string[] = [];
    const embed = () => Promise.reject(new Error('it crashed'));
    const embedder = { ...meaningEmbedder(), embed };
    await using memory = await open(newFolder(), { embedder, warnings });
    await memory.remember(records, { signal });
    expect(await found(memory)).toEqual(all);
    expect(warnings).toEqual(['memory is searched by words alone: it crashed']);
  });

  it('searches waiting rows by words, and says so, where they get no vectors', async () => {
    const warnings: string[] = [];
    const whole = meaningEmbedder();
    const embed: typeof whole.embed = async (texts, options) => {
      if (options.isQuery) return await whole.embed(texts, options);
      throw new Error('one of them is poison');
    };
    await using memory = await open(newFolder(), { embedder: { ...whole, embed }, warnings });
    await memory.remember(records, { signal });
    expect(await found(memory)).toEqual(all);
    expect(warnings).toEqual(['waiting rows are searched by words alone: one of them is poison']);
  });
});

describe('layers and upkeep', () => {
  const spread = async (memory: FlushableMemory) => {
    const [id] = await memory.remember(
      [
        turn('we release on Thursdays', { run: 'r1', source: 'docs/a.md', tags: ['decision'] }),
        turn('the heron', { run: 'r2', ts: nowMs - 30 * hourMs }),
      ],
      { signal },
    );
    return id as string;
  };

  it('promote() copies with provenance, once, and search says it once', async () => {
    await using memory = await open(newFolder(), { embedder: meaningEmbedder() });
    const id = await spread(memory);
    await memory.flush({ signal });
    const [made, ...more] = await memory.promote([{ id, reason: 'tagged decision' }], { signal });
    expect([made?.from, more]).toEqual([id, []]);
    expect(await memory.promote([{ id, reason: 'again' }], { signal })).toEqual([]);
    await memory.flush({ signal });
    expect(await memory.promote([{ id, reason: 'again' }], { signal })).toEqual([]);
    const [row] = await memory.list({ layer: 'insights' }, { signal, limit: 9 });
    expect(row?.record).toMatchObject({
      run: 'r1',
      source: 'docs/a.md',
      tags: ['decision', 'promoted', 'because:tagged decision'],
    });
    const hits = await memory.search({ text: 'thursdays', limit: 9 }, { signal });
    expect(hits).toHaveLength(1);
  });

  it.each(['before', 'after'])('forget() takes a row %s it moved, and its copy', async (when) => {
    await using memory = await open(newFolder(), { embedder: meaningEmbedder() });
    const id = await spread(memory);
    await memory.promote([{ id, reason: 'x' }], { signal });
    if (when === 'after') await memory.flush({ signal });
    expect(await memory.count({ source: 'docs/a.md' }, { signal })).toEqual({
      interact: 1,
      insights: 1,
      assets: 0,
    });
    await expect(memory.forget({}, { signal })).rejects.toMatchObject({ code: 'invalid-argument' });
    const gone = await memory.forget({ source: 'docs/a.md' }, { signal });
    expect(gone).toEqual({ interact: 1, insights: 1, assets: 0 });
    const texts = async (text: string) =>
      (await memory.search({ text, limit: 9 }, { signal })).map((hit) => hit.text);
    expect(await texts('release')).toEqual([]);
    expect(await texts('heron')).toEqual(['the heron']);
    await memory.flush({ signal });
    expect(await texts('release on thursdays')).toEqual([]);
  });

  it('prune() takes the least used turns beyond what is kept, and never what was told', async () => {
    const retention = { turnRows: 100 };
    await using memory = await open(newFolder(), { retention });
    const old = nowMs - 1_000 * 24 * hourMs;
    const fact = { kind: 'fact', ts: old };
    await memory.remember(
      [
        turn('releases happen on Thursdays', fact),
        turn('we took Postgres', { ...fact, kind: 'decision' }),
        turn('I like tabs', { ...fact, kind: 'preference' }),
        turn('a plugin calls it a fact', { ...fact, source: 'a-plugin' }),
        turn('insight of long ago', { layer: 'insights', ts: old }),
      ],
      { signal },
    );
    const many = Array.from({ length: 109 }, (_, n) => turn(`row ${n}`, { ts: nowMs - n }));
    const ids = await memory.remember(many, { signal });
    await memory.flush({ signal });
    const worth = new Map([[ids[108] as string, 3]]);
    const removed = await memory.prune(nowMs, { signal, worth });
    expect(removed).toEqual({ interact: 10, insights: 0, assets: 0 });
    const none = { interact: 0, insights: 0, assets: 0 };
    expect(await memory.prune(nowMs, { signal })).toEqual(none);
    const left = (await memory.list({}, { signal, limit: 999 })).map(({ record }) => record.text);
    expect(left).toEqual(
      expect.arrayContaining([
        ...['releases happen on Thursdays', 'we took Postgres', 'I like tabs'],
        ...['row 0', 'row 98', 'row 108', 'insight of long ago'],
      ]),
    );
    expect(left).not.toContain('row 107');
    expect(left).not.toContain('a plugin calls it a fact');
  }, 60_000);

  it('prune() takes turns by their age only where it is told to', async () => {
    const folder = newFolder();
    {
      await using memory = await open(folder);
      await spread(memory);
      await memory.remember([turn('kept', { kind: 'fact', ts: nowMs - 90 * hourMs })], { signal });
      await memory.flush({ signal });
      expect((await memory.prune(nowMs, { signal })).interact).toBe(0);
    }
    await using memory = await open(folder, {
      retention: { turnRows: 9, turnDays: 1 },
    });
    expect((await memory.prune(nowMs, { signal })).interact).toBe(1);
    const left = await memory.list({}, { signal, limit: 9 });
    expect(left.map(({ record }) => record.text)).toEqual(['we release on Thursdays', 'kept']);
  });

  it('promote() moves a fact up, layer by layer, demote() brings it back for good', async () => {
    await using memory = await open(newFolder(), { embedder: meaningEmbedder() });
    const fact = turn('releases happen on Thursdays', { kind: 'fact', scope: 'person' });
    const [id] = (await memory.remember([fact], { signal })) as [string];
    const layers: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      await memory.promote([{ id, reason: `reason ${times}` }], { signal });
      if (times > 0) await memory.flush({ signal });
      const rows = await memory.list({}, { signal, limit: 9 });
      expect(rows.map((row) => [row.id, row.record.scope])).toEqual([[id, 'person']]);
      layers.push(`${rows[0]?.record.layer}: ${rows[0]?.record.why}`);
      expect(await memory.search({ text: 'releases', limit: 9 }, { signal })).toHaveLength(1);
    }
    expect(layers).toEqual(['insights: reason 0', 'assets: reason 1', 'assets: reason 1']);
    expect(await memory.demote([id], { signal })).toEqual([id]);
    await memory.promote([{ id, reason: 'again' }], { signal });
    const [row, ...more] = await memory.list({}, { signal, limit: 9 });
    expect(more).toEqual([]);
    expect(row?.record).toMatchObject({ layer: 'interact', stays: true, tags: [] });
    expect(await memory.count({}, { signal })).toEqual({ interact: 1, insights: 0, assets: 0 });
  });

  it('demote() takes the copy of a turn away, and the turn stays', async () => {
    await using memory = await open(newFolder());
    const id = await spread(memory);
    const [made] = await memory.promote([{ id, reason: 'x' }], { signal });
    expect(await memory.demote([made?.id ?? ''], { signal })).toEqual([made?.id]);
    expect(await memory.promote([{ id, reason: 'x' }], { signal })).toEqual([]);
    expect(await memory.count({}, { signal })).toEqual({ interact: 2, insights: 0, assets: 0 });
  });

  it('optimize() and stats() tell of every layer', async () => {
    await using memory = await open(newFolder(), { embedder: meaningEmbedder() });
    await spread(memory);
    expect(await memory.optimize(nowMs, { signal, force: true })).toEqual(['interact']);
    expect(await memory.optimize(nowMs, { signal })).toEqual([]);
    await memory.remember([turn('pending')], { signal });
    const [interact, insights] = await memory.stats({ signal });
    expect(interact).toMatchObject({
      rows: 3,
      pending: 1,
      fragments: 1,
      embedder: 'meanings',
      dimensions: 8,
      oldestMs: nowMs - 30 * hourMs,
      newestMs: nowMs,
    });
    expect(interact?.bytes).toBeGreaterThan(1_000);
    expect(insights).toEqual({
      layer: 'insights',
      rows: 0,
      pending: 0,
      fragments: 0,
      bytes: 0,
      embedder: '',
      dimensions: 0,
    });
  });
});
