import { describe, expect, it } from 'vitest';
import type { MemoryHit, MemoryRecord } from '../../contracts/memory.ts';
import { distinctHits, factsFirst } from './order-hits.ts';

const ranked = (id: string, score: number, other?: Partial<MemoryRecord>) => {
  const record: MemoryRecord = {
    layer: 'interact',
    text: id,
    context: 'indexed',
    kind: 'note',
    tags: [],
    project: '/p',
    ts: 7,
    ...other,
  };
  const factors = { bm25: 1, fused: 1, layerWeight: 1, decay: 1 };
  return { id, score, factors, bm25: 1, layer: record.layer, ts: record.ts, record };
};

/** Reads the records of the rows, and notes which rows it was asked for. */
const reader = (asked: string[][]) => async (rows: readonly ReturnType<typeof ranked>[]) => {
  asked.push(rows.map(({ id }) => id));
  return new Map(rows.map(({ id, record }) => [id, { id, record }]));
};

describe('distinctHits()', () => {
  it('reads no more records than are shown, and shows no indexed text', async () => {
    const asked: string[][] = [];
    const rows = ['a', 'b', 'c'].map((id, at) => ranked(id, 3 - at));
    const hits = await distinctHits(rows, 2, reader(asked));
    expect(hits.map(({ hit: { id, score } }) => [id, score])).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(hits[0]?.hit).not.toHaveProperty('context');
    expect(asked).toEqual([['a', 'b']]);
  });

  it('says once what stands in two layers, and fills up from behind', async () => {
    const text = 'releases happen on Thursdays';
    const rows = [
      ranked('b', 3, { text, layer: 'insights' }),
      ranked('a', 2, { text }),
      ranked('c', 1, { text, project: '/q' }),
    ];
    const asked: string[][] = [];
    const hits = await distinctHits(rows, 2, reader(asked));
    expect(hits.map(({ hit }) => hit.id)).toEqual(['b', 'c']);
    expect(asked).toEqual([['b', 'a'], ['c']]);
  });

  it('leaves out a row that was taken away meanwhile', async () => {
    const rows = [ranked('a', 2), ranked('b', 1)];
    const hits = await distinctHits(
      rows,
      9,
      async () => new Map([['b', { id: 'b', record: rows[1]!.record }]]),
    );
    expect(hits.map(({ hit }) => hit.id)).toEqual(['b']);
  });

  it('is empty for nothing', async () => {
    expect(await distinctHits([], 9, reader([]))).toEqual([]);
  });
});

const hit = (kind: string, text: string, score: number, source?: string): MemoryHit => ({
  id: `${kind} ${text}`,
  layer: 'interact',
  score,
  text,
  kind,
  tags: [],
  project: '/work',
  ts: 0,
  ...(source === undefined ? {} : { source }),
  factors: { fused: 1, layerWeight: 1, decay: 1 },
});

it('factsFirst() puts a fact before questions and answers on its subject, and keeps scores falling', () => {
  const hits = [
    hit('question', 'when do releases happen?', 1),
    hit('answer', 'The lake is cold in June.', 0.9),
    hit('answer', 'Releases happen on Thursdays, as you said.', 0.8),
    hit('fact', 'Releases happen on Thursdays', 0.7),
  ];
  expect(factsFirst(hits).map(({ kind, score }) => [kind, score])).toEqual([
    ['fact', 1],
    ['question', 0.9],
    ['answer', 0.8],
    ['answer', 0.7],
  ]);
});

it('factsFirst() leaves other subjects, and what a plugin calls a fact, where they are', () => {
  const hits = [
    hit('answer', 'The lake is cold in June.', 0.9),
    hit('fact', 'Releases happen on Thursdays', 0.7),
    hit('question', 'is the lake cold?', 0.6),
    hit('fact', 'The lake is cold', 0.5, 'some-plugin'),
  ];
  expect(factsFirst(hits)).toEqual(hits);
});
