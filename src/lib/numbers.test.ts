import { expect, it } from 'vitest';
import { largest, smallest } from './numbers.ts';

it('largest() and smallest() take more values than a call has arguments', () => {
  const values = Array.from({ length: 1_000_000 }, (_, at) => at);
  expect(() => Math.max(...values)).toThrow(RangeError);
  expect(largest(values)).toBe(999_999);
  expect(smallest(values)).toBe(0);
});

it('largest() gives its floor where nothing is above it', () => {
  expect(largest([], 0)).toBe(0);
  expect(largest([-3, -2], -2.5)).toBe(-2);
});
