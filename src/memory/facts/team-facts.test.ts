import { describe, expect, it } from 'vitest';
import type { MemoryHit, MemoryRecord, MemoryRow } from '../../contracts/memory.ts';
import { asInStore, teamFacts, withTeam } from './settle-facts.ts';

const row = (id: string, ts: number, more: Partial<MemoryRecord> = {}): MemoryRow => ({
  id,
  record: {
    ...{ layer: 'insights', text: id, context: id, kind: 'fact', tags: [], project: '/work', ts },
    scope: 'team',
    ...more,
  },
});
const hit = ({ id, record: { context: _indexed, ...record } }: MemoryRow): MemoryHit => ({
  ...{ id, score: 1, ...record },
  factors: { fused: 1, layerWeight: 1, decay: 1 },
});

describe('facts of the team', () => {
  // this machine said "two"; another one replaced it
  const own = row('two', 1);
  const store = [row('two', 1, { replacedBy: 'three' }), row('three', 2, { replaces: ['two'] })];
  const list = async ({ ids = [] }: { ids?: readonly string[] }) =>
    store.filter(({ id }) => ids.includes(id));
  const book = { chain: (id: string) => (id === 'two' ? [own] : []) };

  it('are what the store says, with what replaced them', async () => {
    const rows = await teamFacts([hit(own)], list);
    expect([...rows.keys()]).toEqual(['two', 'three']);
    expect(asInStore([hit(own)], rows)).toMatchObject([{ id: 'two', replacedBy: 'three' }]);
    for (const id of ['two', 'three']) {
      expect(withTeam(book, rows).chain(id)).toMatchObject([
        { id: 'three' },
        { id: 'two', record: { replacedBy: 'three' } },
      ]);
    }
  });

  it('are gone where another machine forgot them', () => {
    const left = row('one', 0, { replacedBy: 'two' });
    const whole = { chain: () => [own, left] };
    const rows = new Map([['one', left]]);
    expect(withTeam(whole, rows).chain('one')).toEqual([left]);
    expect(asInStore([hit(own), hit(left)], rows).map(({ id }) => id)).toEqual(['one']);
    expect(asInStore([hit(own)], undefined)).toHaveLength(1);
  });

  it('are not looked for where a fact holds for this workspace alone', async () => {
    const rows = await teamFacts([hit(row('two', 1, { scope: 'project' }))], list);
    expect(rows.size).toBe(0);
    expect(withTeam(book, rows)).toBe(book);
  });
});
