import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { MemoryHit, MemoryRecord } from '../../src/contracts/memory.ts';
import { createMemoryServices } from '../../src/host/interfaces/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openStore } from '../../src/store/open-store.ts';
import { escapeCase } from './support/escape-case.ts';

const { signal } = new AbortController();
const clock = { nowMs: () => 1_795_000_000_000 };
const record = (text: string, more: Partial<MemoryRecord>): MemoryRecord => ({
  ...{ layer: 'interact', text, context: text, kind: 'question', tags: [], project: '/p' },
  ...{ ts: clock.nowMs(), ...more },
});

/** Enough that memory keeps an index of their words. */
const said = (words: string) =>
  Array.from({ length: 600 }, (_, at) => record(`question ${at} on ${words}`, {}));
const pieces = (source: string, count: number, words: string) =>
  Array.from({ length: count }, (_, at) =>
    record(`${words} ${at}`, { layer: 'assets', kind: 'text', source }),
  );

type Found = { own: unknown[][]; ofFiles: unknown[][]; all: MemoryHit[] };

/** What a plugin is told of its own two rows and of a file that it may read, beside rows of others. */
async function listen(others: readonly MemoryRecord[]): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-listener-'));
  try {
    using store = openStore({ path: join(folder, 'cuervo.db') });
    const ports = { journal: store.memoryJournal, clock };
    await using memory = await openMemory({ directory: join(folder, 'lancedb'), ...ports });
    const services = createMemoryServices({
      memory: async () => memory,
      shownFiles: async () => ({ withheld: ['.env'], isShown: (path) => path === 'a.txt' }),
      ...{ project: '/p', clock },
    });
    const caller = { plugin: 'listener', digest: '', signal, run: 'r', step: 's1' };
    for (const text of ['the zebra sits alone', 'the yak sits alone']) {
      await services['memory.remember']([text, 'note', []], caller);
    }
    const file = [...pieces('a.txt', 1, 'zebra'), ...pieces('a.txt', 1, 'yak on')];
    await memory.remember([...others, ...file], { signal });
    await memory.flush({ signal });
    const { value } = await services['memory.search'](['zebra yak', 30], caller);
    const hits = value as MemoryHit[];
    const told = (from: readonly MemoryHit[]) => from.map(({ text, score }) => [text, score]);
    return {
      own: told(hits.filter(({ layer }) => layer !== 'assets')),
      ofFiles: told(hits.filter(({ layer }) => layer === 'assets')),
      all: await memory.search({ text: 'zebra yak', limit: 30 }, { signal }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const told = async (others: readonly MemoryRecord[]) => {
  const { own, ofFiles } = await listen(others);
  expect([own.length, ofFiles.length]).toEqual([2, 2]);
  return { own, ofFiles };
};

escapeCase('memory that tells what others hold', {
  denied: [
    [
      'by what a word is worth in the rows of the plugin',
      async () => {
        const silent = await told(said('birds'));
        for (const words of ['the zebra', 'the yak']) {
          expect(await told(said(words))).toEqual(silent);
        }
      },
    ],
    [
      'by the places that pieces of protected files take from those of others',
      async () => {
        const silent = await told(said('birds'));
        const hidden = pieces('.env', 150, 'zebra yak yak zebra');
        expect(await told([...said('birds'), ...hidden])).toEqual(silent);
      },
    ],
  ],
  control: [
    'a person finds them all, in an order that goes by all of them',
    async () => {
      const { all } = await listen([...said('the zebra'), ...pieces('.env', 3, 'zebra yak')]);
      expect(all.map(({ source }) => source)).toContain('.env');
      const [yak, zebra] = ['the yak sits alone', 'the zebra sits alone'].map(
        (text) => all.find((hit) => hit.text === text)?.score ?? 0,
      );
      expect(yak).toBeGreaterThan(2 * (zebra ?? 0));
    },
  ],
});
