import { describe, expect, it } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { decayScores } from './layers.ts';

const hourMs = 3_600_000;

describe('decayScores()', () => {
  it('halves a score with each half-life of its layer, and drops what is worn out', () => {
    using store = openStore({ path: ':memory:' });
    const { memoryUses: uses } = store;
    uses.count([{ id: 'turn', layer: 'interact' }], 0);
    uses.count([{ id: 'insight', layer: 'insights' }], 0);
    uses.count([{ id: 'piece', layer: 'assets' }], 0);
    const table = [0, 2, 4, 30, 60].map((day) => {
      const done = decayScores(uses, day * 24 * hourMs);
      const scores = uses.all().map(({ id, score }) => `${id} ${score.toFixed(2)}`);
      return [day, done.dropped, ...scores].join(' | ');
    });
    expect(table).toEqual([
      '0 | 0 | insight 1.00 | piece 1.00 | turn 1.00',
      '2 | 0 | insight 0.95 | piece 1.00 | turn 0.50',
      '4 | 0 | insight 0.91 | piece 1.00 | turn 0.25',
      '30 | 1 | insight 0.50 | piece 1.00',
      '60 | 0 | insight 0.25 | piece 1.00',
    ]);
  });

  it('makes nothing younger when the clock is set back, nor worn out twice', () => {
    using store = openStore({ path: ':memory:' });
    const { memoryUses: uses } = store;
    uses.count([{ id: 'turn', layer: 'interact' }], 48 * hourMs);
    decayScores(uses, 0);
    expect(uses.all()).toMatchObject([{ score: 1, scoredMs: 0 }]);
    decayScores(uses, 48 * hourMs);
    expect(uses.all()).toMatchObject([{ score: 0.5 }]);
  });
});
