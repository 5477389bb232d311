import { expect, it } from 'vitest';
import type { MemoryHit } from '../../contracts/memory.ts';
import { factsFirst } from './facts-first.ts';

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
