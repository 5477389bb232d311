import { expect, it } from 'vitest';
import { interleave, median } from './measure.ts';

it('median() is the middle, or the mean of the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 2, 9])).toBe(3);
  expect(() => median([])).toThrow('no values');
});

it('interleave() takes turns and leaves the first rounds out', async () => {
  const order: string[] = [];
  let a = 100;
  const sideA = async (): Promise<number> => {
    order.push('a');
    a -= 30;
    return a;
  };
  const sideB = async (): Promise<number> => {
    order.push('b');
    return 7;
  };
  expect(await interleave({ runs: 2, warmUps: 1 }, sideA, sideB)).toEqual({ a: 25, b: 7 });
  expect(order.join('')).toBe('ababab');
});
