import { expect, it } from 'vitest';
import { likenessOf } from './rank-candidates.ts';

const use = { cosineFloor: 0.2, perhapsCosine: 0.4, sureCosine: 0.6 };

it('likenessOf() rises with the cosine: 0 at the floor, a half for perhaps, 1 for sure', () => {
  const cosines = [-1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8];
  const found = cosines.map((cosine) => Number(likenessOf(cosine, use).toFixed(6)));
  expect(found).toEqual([0, 0, 0.25, 0.5, 0.75, 1, 1.5]);
  expect(likenessOf(undefined, use)).toBe(0);
  expect(likenessOf(0.5, undefined)).toBe(0);
});
