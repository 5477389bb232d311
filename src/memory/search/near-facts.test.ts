import { describe, expect, it } from 'vitest';
import type { MemoryEmbedder, MemoryRecord } from '../../contracts/memory.ts';
import { turnMeanings } from './near-facts.ts';

const { signal } = new AbortController();
const turn = (text: string, kind = 'question') => {
  const record: MemoryRecord = {
    ...{ layer: 'interact', text, context: text, kind, tags: [], project: '/p', ts: 0 },
  };
  return { id: text, layer: record.layer, record };
};
/** Knows vectors of texts that were made before, and counts those that it makes. */
function model(kept: Record<string, readonly number[]>): MemoryEmbedder & { made: string[] } {
  const made: string[] = [];
  return {
    ...{ name: 'm', dimensions: 2, alpha: 0.5, cosineFloor: 0, perhapsCosine: 0.3 },
    ...{ sureCosine: 0.6, rerankShare: 0.4, made },
    embed: async (texts) => {
      made.push(...texts);
      return texts.map(() => Float32Array.of(1, 0));
    },
    kept: (texts) =>
      texts.map((text) => {
        const vector = kept[text];
        return vector === undefined ? undefined : Float32Array.from(vector);
      }),
  };
}

describe('turnMeanings()', () => {
  it('compares by vectors that are there, and makes that of the question alone', async () => {
    const use = model({ near: [1, 0], far: [0, 1] });
    const found = [turn('near'), turn('far'), turn('new'), turn('near', 'fact')];
    const cosines = await turnMeanings(use, found, { asked: 'asked', signal });
    expect([...cosines]).toEqual([
      ['near', 1],
      ['far', 0],
    ]);
    expect(use.made).toEqual(['asked']);
  });

  it('says nothing where most vectors are missing, and asks the model nothing', async () => {
    const use = model({ near: [1, 0] });
    const found = [turn('near'), turn('a'), turn('b')];
    expect(await turnMeanings(use, found, { asked: 'asked', signal })).toEqual(new Map());
    expect(use.made).toEqual([]);
  });
});
