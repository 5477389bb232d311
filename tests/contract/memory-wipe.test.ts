import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FlushableMemory } from '../../src/contracts/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openLanceIndex } from '../../src/memory/tables/lance-index.ts';
import { localPlace } from '../../src/memory/tables/table-place.ts';
import { openStore } from '../../src/store/open-store.ts';
import { never, nowMs, turn } from './memory.contract.ts';

const top = mkdtempSync(join(tmpdir(), 'cuervo-wipe-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));
let made = 0;
const signal = never;
const newFolder = () => {
  const folder = join(top, `${made++}`);
  mkdirSync(folder);
  return folder;
};

async function open(folder: string): Promise<FlushableMemory> {
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: () => nowMs },
    warn: (message) => {
      throw new Error(message);
    },
  });
  const close = async () => {
    await memory[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  return { ...memory, [Symbol.asyncDispose]: close };
}

const kept = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    turn(`heron ${n}`, { layer: 'assets', source: 'docs/kept.md' }),
  );
const secret = turn('the zyzzyva sings', { layer: 'assets', source: 'docs/zyzzyva.md' });
/** Its bytes, its source, the word as it is indexed: each of them begins so. */
const marker = 'zyzzyv';

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text))
    .map((path) => path.slice(folder.length + 1));
}

/** One row of a hundred is taken away: so few that LanceDB's own merging leaves them where they are. */
async function withSecret(folder: string): Promise<FlushableMemory> {
  const memory = await open(folder);
  await memory.remember([...kept(99), secret], { signal });
  await memory.flush({ signal });
  await memory.optimize(nowMs, { signal, force: true });
  return memory;
}

const found = async (memory: FlushableMemory, text: string) =>
  (await memory.search({ text, limit: 32 }, { signal })).map((hit) => hit.text);

describe('openMemory() and bytes of what was forgotten', { timeout: 60_000 }, () => {
  it('are off the disk after the next optimize() when a person wanted them gone', async () => {
    const folder = newFolder();
    {
      await using memory = await withSecret(folder);
      expect(await found(memory, 'zyzzyva')).toEqual(['the zyzzyva sings']);
      expect(filesWith(folder, marker)).not.toEqual([]);
      expect(await memory.forget({ source: 'docs/zyzzyva.md' }, { signal, wipe: true })).toEqual({
        interact: 0,
        insights: 0,
        assets: 1,
      });
      // control: a removed row alone leaves its bytes where they are
      expect(filesWith(folder, marker)).not.toEqual([]);
    }
    // of another process, whose own thresholds ask for nothing
    await using memory = await open(folder);
    expect(await memory.optimize(nowMs, { signal })).toEqual(['assets']);
    expect(filesWith(join(folder, 'lancedb'), marker)).toEqual([]);
    expect(await memory.count({}, { signal })).toMatchObject({ assets: 99 });
    expect(await found(memory, 'zyzzyva')).toEqual([]);
    expect(await found(memory, 'heron')).toHaveLength(32);
    expect(await memory.optimize(nowMs, { signal })).toEqual([]);
  });

  it('stay after a sweep until optimize() is forced to', async () => {
    const folder = newFolder();
    await using memory = await withSecret(folder);
    await memory.forget({ source: 'docs/zyzzyva.md' }, { signal });
    expect(await memory.optimize(nowMs, { signal })).toEqual([]);
    expect(filesWith(join(folder, 'lancedb'), marker)).not.toEqual([]);
    expect(await memory.optimize(nowMs, { signal, force: true })).toEqual(['assets']);
    expect(filesWith(join(folder, 'lancedb'), marker)).toEqual([]);
    expect(await memory.count({}, { signal })).toMatchObject({ assets: 99 });
  });

  it('are gone when nothing is left of a table, and it takes rows again', async () => {
    const folder = newFolder();
    await using memory = await open(folder);
    await memory.remember([secret], { signal });
    await memory.flush({ signal });
    await memory.forget({ source: 'docs/zyzzyva.md' }, { signal, wipe: true });
    await memory.optimize(nowMs, { signal });
    expect(filesWith(join(folder, 'lancedb'), marker)).toEqual([]);
    await memory.remember(kept(1), { signal });
    await memory.flush({ signal });
    expect(await found(memory, 'heron')).toEqual(['heron 0']);
  });

  it('are gone from the store, too, where rows wait for their table', async () => {
    const folder = newFolder();
    {
      await using memory = await open(folder);
      await memory.remember([...kept(2), secret], { signal });
      expect(filesWith(folder, marker)).not.toEqual([]);
      await memory.forget({ source: 'docs/zyzzyva.md' }, { signal, wipe: true });
    }
    expect(filesWith(folder, marker)).toEqual([]);
  });
});

describe('openLanceIndex() and a reader of a version that is wiped off the disk', () => {
  it('reads the newest one from the start', { timeout: 60_000 }, async () => {
    const folder = newFolder();
    await using memory = await withSecret(folder);
    using index = openLanceIndex(localPlace(join(folder, 'lancedb')));
    const counts: number[] = [];
    const rows = await index.read(['assets'], async ([table]) => {
      counts.push((await table?.countRows()) ?? -1);
      if (counts.length === 1) {
        await memory.forget({ source: 'docs/zyzzyva.md' }, { signal, wipe: true });
        await memory.optimize(nowMs, { signal });
      }
      return await table?.rows(undefined, { limit: 200, offset: 0 });
    });
    expect(counts).toEqual([100, 99]);
    expect(rows).toHaveLength(99);
  });
});
