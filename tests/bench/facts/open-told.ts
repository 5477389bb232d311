import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FlushableMemory, MemoryEmbedder } from '../../../src/contracts/memory.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { turnContext } from '../../../src/memory/texts.ts';
import { openStore } from '../../../src/store/open-store.ts';

export const toldProject = '/told';
const dayMs = 86_400_000;
const nowMs = Date.parse('2026-11-24T10:00:00Z');
const { signal } = new AbortController();

/** A memory in which each note was told on a day of its own, in no order, as `ask` writes facts. */
export async function openTold(
  notes: readonly string[],
  models: { embedder: MemoryEmbedder; meaning?: MemoryEmbedder },
): Promise<AsyncDisposable & { memory: FlushableMemory }> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-facts-'));
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: () => nowMs },
    embedder: async () => models.embedder,
    meaning: async () => models.meaning,
    warn: (message) => {
      throw new Error(message);
    },
  });
  const records = notes.map((text, at) => {
    // 37 and 200 share no factor: each day is taken once
    const ts = nowMs - (((at * 37) % 200) + 1) * dayMs;
    const context = turnContext({ who: 'user', text, tsMs: ts });
    const kind = 'fact';
    return { layer: 'interact' as const, text, context, kind, tags: [], project: toldProject, ts };
  });
  await memory.remember(records, { signal });
  await memory.flush({ signal });
  return {
    memory,
    [Symbol.asyncDispose]: async () => {
      await memory[Symbol.asyncDispose]();
      store[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
