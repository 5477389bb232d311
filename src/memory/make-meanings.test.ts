import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { MemoryEmbedder } from '../contracts/memory.ts';
import { openStore } from '../store/open-store.ts';
import { memoryId } from './memory-record.ts';
import { makeMeanings, missingMeanings } from './rebuild.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-meanings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

function keeping(): MemoryEmbedder {
  const kept = new Map<string, Float32Array>();
  return {
    ...{ name: 'm', dimensions: 1, alpha: 0.5, cosineFloor: 0, perhapsCosine: 0.3 },
    ...{ sureCosine: 0.6, rerankShare: 0.4 },
    embed: async (texts) => {
      for (const text of texts) kept.set(text, Float32Array.of(1));
      return texts.map(() => Float32Array.of(1));
    },
    kept: (texts) => texts.map((text) => kept.get(text)),
  };
}

describe('makeMeanings()', () => {
  it('makes what is missing, the newest first and no more than wanted, and then nothing', async () => {
    using store = openStore({ path: join(folder, 'cuervo.db') });
    const { book } = store.memoryJournal;
    const rows = Array.from({ length: 40 }, (_, n) => {
      const record = { text: `turn ${n}`, context: `turn ${n}`, kind: 'question', tags: [], ts: n };
      const whole = { ...record, layer: 'interact' as const, project: '/p' };
      return { id: memoryId(whole), record: whole };
    });
    book.keep(rows);
    const use = keeping();
    const ports = { book, meaning: async () => use };
    expect(await missingMeanings(ports)).toBe(40);
    expect(await makeMeanings(ports, { signal, limit: 10 })).toEqual({ made: 10, model: 'm' });
    expect(use.kept?.(['turn 39', 'turn 30', 'turn 29']).map(Boolean)).toEqual([true, true, false]);
    expect(await makeMeanings(ports, { signal })).toEqual({ made: 30, model: 'm' });
    expect(await makeMeanings(ports, { signal })).toEqual({ made: 0, model: 'm' });
    expect(await missingMeanings(ports)).toBe(0);
  });

  it('makes nothing without a model', async () => {
    using store = openStore({ path: join(folder, 'cuervo.db') });
    const ports = { book: store.memoryJournal.book, meaning: async () => undefined };
    expect(await makeMeanings(ports, { signal })).toBeUndefined();
    expect(await missingMeanings(ports)).toBe(0);
  });
});
