import { expect, it } from 'vitest';
import { bestForward } from './best-forward.ts';

it('bestForward() takes from each order in turn, each thing once, up to the count', () => {
  expect(bestForward([['a', 'b', 'c'], ['c', 'd'], []], 3)).toEqual(['a', 'c', 'b']);
  expect(bestForward([['a', 'b', 'c'], ['c', 'd'], []], 9)).toEqual(['a', 'c', 'b', 'd']);
  expect(bestForward([], 3)).toEqual([]);
});
