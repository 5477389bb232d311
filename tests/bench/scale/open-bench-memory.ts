import { join } from 'node:path';
import { keepYoungSpace } from '../../../src/config/process-settings.ts';
import type { FlushableMemory, MemoryEmbedder } from '../../../src/contracts/memory.ts';
import type { MemoryJournal } from '../../../src/contracts/memory-store.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { madeAtMs } from './made-rows.ts';

/** The memory of a folder at the time when made rows were said; what it warns of is an error here, unless it is wanted. */
export async function openBenchMemory(
  folder: string,
  embedder: MemoryEmbedder,
  warn: (message: string) => void = failed,
): Promise<AsyncDisposable & { memory: FlushableMemory; journal: MemoryJournal }> {
  keepYoungSpace();
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: () => madeAtMs },
    embedder: async () => embedder,
    warn,
  });
  return {
    memory,
    journal: store.memoryJournal,
    [Symbol.asyncDispose]: async () => {
      await memory[Symbol.asyncDispose]();
      store[Symbol.dispose]();
    },
  };
}

function failed(message: string): never {
  throw new Error(message);
}
