import { describe, expect, it } from 'vitest';
import type { MemoryRow } from '../../contracts/memory.ts';
import { factsAbout } from './facts-about.ts';

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
