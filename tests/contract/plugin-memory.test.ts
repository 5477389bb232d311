import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMemoryServices } from '../../src/host/interfaces/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openStore } from '../../src/store/open-store.ts';

const { signal } = new AbortController();

it('holds as many texts of a plugin in a project as it may, also for the next process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-plugin-memory-'));
  try {
    using store = openStore({ path: join(folder, 'cuervo.db') });
    const clock = { nowMs: () => 1_795_000_000_000 };
    await using memory = await openMemory({
      directory: join(folder, 'lancedb'),
      journal: store.memoryJournal,
      clock,
      warn: (message) => expect.unreachable(message),
    });
    /** As a process of its own makes them. */
    const open = (project = '/a') => {
      const services = createMemoryServices({
        ...{ memory: async () => memory, shownFiles: async () => undefined },
        ...{ project, clock, maxRows: 3 },
      });
      return async (plugin: string, text: string): Promise<unknown> => {
        const caller = { plugin, digest: '', signal, run: 'r', step: 's1' };
        return (await services['memory.remember']([text, 'note', []], caller)).value;
      };
    };
    const full = { tag: 'limit', message: 'one remembers 3 texts in this project, limit 3' };
    const remember = open();
    for (const text of ['a', 'b']) await remember('one', text);
    // What is already there is not a new row.
    for (let again = 0; again < 5; again += 1) await remember('one', 'a');
    await remember('one', 'c');
    await expect(remember('one', 'd')).rejects.toMatchObject(full);
    await expect(open()('one', 'd')).rejects.toMatchObject(full);
    await remember('other', 'd');
    await open('/b')('one', 'd');
    const held = await memory.count({ source: 'one', project: '/a' }, { signal });
    expect(held.interact).toBe(3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
