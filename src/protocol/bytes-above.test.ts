import { expect, it } from 'vitest';
import { bytesAbove } from './bytes-above.ts';

it.each([
  [3, 'abc', '', undefined],
  [2, 'abc', '', 3],
  [9, 'ab', 'ä', undefined],
  [3, 'ab', 'ä', 4],
  [4, 'ab', 'ä', undefined],
  [0, '', '', undefined],
])('bytesAbove(%j, %j, %j) is %j', (limit, one, other, bytes) => {
  expect(bytesAbove(limit, one, other)).toBe(bytes);
});
