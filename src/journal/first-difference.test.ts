import { expect, it } from 'vitest';
import { firstDifference } from './replay-run.ts';

it.each([
  [{ a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
  [1, '1', { path: '', left: 1, right: '1' }],
  [{ a: [1, 2] }, { a: [1, 3] }, { path: '/a/1', left: 2, right: 3 }],
  [{ 'x/y~': 1 }, {}, { path: '/x~1y~0', left: 1, right: null }],
  [{}, { a: null }, { path: '/a', left: null, right: null }],
  [[], {}, { path: '', left: [], right: {} }],
  [{ constructor: 1 }, {}, { path: '/constructor', left: 1, right: null }],
])('firstDifference() of %j and %j', (left, right, found) => {
  expect(firstDifference(left, right)).toEqual(found);
});
