import { expect, it } from 'vitest';
import { fitChoices } from './fit-choices.ts';

it('fitChoices() finds which sign tells the right ones, and how', () => {
  const choices = Array.from({ length: 40 }, (_, at) => ({
    signs: [
      [(at % 3) / 3, 0.2 + (at % 5) / 10],
      [(at % 2) / 2, 0.9],
      [(at % 7) / 7, 0.8],
    ],
    right: [true, false, false],
  }));
  const { weights, rank } = fitChoices(choices);
  expect(weights[1]).toBeLessThan(-1);
  expect(choices.map(rank)).toEqual(choices.map(() => 0));
  expect(rank({ signs: [[1, 1]], right: [false] })).toBe(-1);
});
