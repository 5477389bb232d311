import { describe, expect, it } from 'vitest';
import type { MemoryHit, MemoryRecord, MemoryRow } from '../../contracts/memory.ts';
import { factsAbout, settleFacts } from './settle-facts.ts';

const recordOf = (text: string, more: Partial<MemoryRecord> = {}): MemoryRecord => ({
  ...{
    layer: 'interact',
    text,
    context: text,
    kind: 'fact',
    tags: [],
    project: '/w',
    ts: 1,
    ...more,
  },
});
const hitOf = ({ id, record }: MemoryRow, score: number, likeness?: number): MemoryHit => ({
  ...{ ...record, id, score },
  factors: {
    ...{ bm25: 0, fused: score, layerWeight: 1, decay: 1 },
    ...(likeness === undefined ? {} : { likeness }),
  },
});

const older = {
  id: 'older',
  record: recordOf('releases happen on Thursdays', { replacedBy: 'newer' }),
};
const newer = {
  id: 'newer',
  record: recordOf('releases moved to Fridays', { replaces: ['older'] }),
};
const other = { id: 'other', record: recordOf('the port is 8080') };
const book = { chain: (id: string) => (id === 'other' ? [] : [newer, older]) };
const query = { text: 'when do we ship?', limit: 5 };

describe('settleFacts()', () => {
  it('shows the one that holds, as near as the nearest that it replaced', () => {
    const hits = [hitOf(newer, 0.9, 0.4), hitOf(other, 0.8, 0.3), hitOf(older, 0.7, 0.6)];
    const settled = settleFacts(hits, query, book);
    expect(settled.map(({ id, score, factors }) => [id, score, factors.likeness])).toEqual([
      ['newer', 0.9, 0.6],
      ['other', 0.8, 0.3],
    ]);
    expect(settled[0]?.replaced).toMatchObject([{ id: 'older' }]);
  });

  it('says no likeness where there is none', () => {
    const settled = settleFacts([hitOf(older, 0.7), hitOf(other, 0.6)], query, book);
    expect(settled.map(({ id, factors }) => [id, 'likeness' in factors])).toEqual([
      ['newer', false],
      ['other', false],
    ]);
  });
});

const row = (text: string): MemoryRow => ({
  id: text,
  record: { layer: 'interact', text, context: '', kind: 'fact', tags: [], project: '/', ts: 0 },
});
const rows = ['releases happen on Thursdays', 'releases', 'the port is 8080'].map(row);

describe('factsAbout()', () => {
  it('finds facts that hold every word, whatever its ending', () => {
    expect(factsAbout('the release on Thursday', rows).map(({ id }) => id)).toEqual([
      'releases happen on Thursdays',
    ]);
    expect(factsAbout('the lunch', rows)).toEqual([]);
    expect(factsAbout('the', rows)).toEqual([]);
  });

  it('takes the fact that says just this before others that say more', () => {
    expect(factsAbout('releases', rows).map(({ id }) => id)).toEqual(['releases']);
  });
});
