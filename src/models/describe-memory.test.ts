import { describe, expect, it } from 'vitest';
import { describeAge, describeMemory } from './describe-memory.ts';

describe('describeAge()', () => {
  it.each([
    [-5, 'moments'],
    [59_000, 'moments'],
    [60_000, '1 minute'],
    [7_200_000, '2 hours'],
    [86_400_000 * 40, '40 days'],
  ])('of %i ms is %s', (ageMs, text) => {
    expect(describeAge(ageMs)).toBe(text);
  });
});

describe('describeMemory()', () => {
  const hit = {
    id: 'm',
    layer: 'interact',
    score: 1,
    text: 't',
    kind: 'question',
    tags: [],
    project: '/p',
    ts: 0,
    factors: { fused: 1, layerWeight: 1, decay: 1 },
  } as const;

  it('names layer, kind, age and, where there is one, source', () => {
    expect(describeMemory(hit, 60_000)).toBe('memory interact, question, 1 minute ago');
    expect(describeMemory({ ...hit, source: 'a.md' }, 0)).toBe(
      'memory interact, question, moments ago, from a.md',
    );
  });
});
