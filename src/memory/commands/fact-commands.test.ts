import { expect, it } from 'vitest';
import type { MemoryFilter, MemoryHit, MemoryRecord, MemoryRow } from '../../contracts/memory.ts';
import { createFactCommands } from './fact-commands.ts';

const { signal } = new AbortController();
const row = (id: string, ts: number, more: Partial<MemoryRecord> = {}): MemoryRow => ({
  id,
  record: {
    ...{ layer: 'insights', context: id, kind: 'fact', tags: [], project: '/work', ts },
    text: `the code word is ${id}`,
    scope: 'team',
    ...more,
  },
});
const hit = ({ id, record: { context: _indexed, ...record } }: MemoryRow): MemoryHit => ({
  ...{ id, score: 1, ...record },
  factors: { fused: 1, layerWeight: 1, decay: 1 },
});

it('history() shows both facts where two machines corrected one at the same time', async () => {
  const walrus = row('walrus', 1, { replacedBy: 'otter' });
  const otter = row('otter', 3, { replaces: ['walrus'] });
  const badger = row('badger', 2, { replaces: ['walrus'] });
  const store = [walrus, otter, badger];
  const history = async (own: readonly MemoryRow[]) => {
    const book = {
      facts: () => own,
      chain: (id: string) => own.filter((one) => one.id === id),
    };
    const memory = {
      search: async () => [hit(otter), hit(badger)],
      list: async ({ ids = [] }: MemoryFilter) => store.filter(({ id }) => ids.includes(id)),
    };
    const commands = createFactCommands({
      config: { workspace: '/work' },
      clock: { nowMs: () => 9 },
      memory: async () => memory,
      store: async () => ({ memoryJournal: { book } }),
    } as unknown as Parameters<typeof createFactCommands>[0]);
    return (await commands.history('code word', { signal })).map(({ id }) => id);
  };
  // on the machine that said one of them, and on one that said neither
  expect(await history([badger])).toEqual(['otter', 'badger', 'walrus']);
  expect(await history([])).toEqual(['otter', 'badger', 'walrus']);
});
