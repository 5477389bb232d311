import { expect, it } from 'vitest';
import type { Json } from '../contracts/tool.ts';
import { resolveInput } from './run-plan.ts';

const outputs = new Map<string, Json>([
  ['s1', { paths: ['a.ts', 'b.ts'], 'odd/key': { '~': 1 }, nothing: null, zero: 0 }],
  ['s2', 'plain text'],
]);

it.each<[string, string, Json]>([
  ['s1', '/paths/1', 'b.ts'],
  ['s1', '/paths', ['a.ts', 'b.ts']],
  ['s1', '/odd~1key/~0', 1],
  ['s1', '/nothing', null],
  ['s1', '/zero', 0],
  ['s2', '', 'plain text'],
])('resolveInput() follows %s%s', ($from, path, value) => {
  expect(resolveInput({ x: { $from, path } }, outputs)).toEqual({ x: value });
});

it('resolveInput() finds references in lists and objects, and copies the rest', () => {
  const ref = { $from: 's1', path: '/paths/0' };
  const input = { list: [1, ref, { deep: ref }], other: { $from: 'x' }, text: '$from' };
  expect(resolveInput(input, outputs)).toEqual({
    list: [1, 'a.ts', { deep: 'a.ts' }],
    other: { $from: 'x' },
    text: '$from',
  });
});

it.each([
  ['s1', '/paths/2'],
  ['s1', '/paths/length'],
  ['s1', '/constructor'],
  ['s1', '/__proto__'],
  ['s2', '/0'],
  ['s3', ''],
])('resolveInput() names the step and the place that has nothing: %s%s', ($from, path) => {
  expect(() => resolveInput({ x: { $from, path } }, outputs)).toThrow(
    expect.objectContaining({
      code: 'not-found',
      message: `step ${$from} returned nothing at ${path}`,
    }),
  );
});
