import { describe, expect, it } from 'vitest';
import type { TokenStates } from '../../contracts/embedder.ts';
import { maxSim, pieceWeights } from './rerankers.ts';

function statesOf(...rows: readonly (readonly number[])[]): TokenStates {
  const scales = Float32Array.from(rows, (row) => 1 / Math.hypot(...row));
  return { dimensions: rows[0]?.length ?? 1, scales, values: Int8Array.from(rows.flat()) };
}

describe('maxSim()', () => {
  it('takes the best cosine of each token of the question, weighted', () => {
    const question = statesOf([3, 0, 0, 0, 4], [0, 127, 0, 0, 0]);
    const text = statesOf([6, 0, 0, 0, 8], [0, 3, 0, 4, 0], [-1, 0, 0, 0, 0]);
    expect(maxSim(question, [1, 1], text)).toBeCloseTo((1 + 0.6) / 2, 6);
    expect(maxSim(question, [3, 1], text)).toBeCloseTo((3 + 0.6) / 4, 6);
    expect(maxSim(question, [0, 1], text)).toBeCloseTo(0.6, 6);
  });

  it('is −1 for opposites, and 0 without tokens', () => {
    const one = statesOf([1, 2, 3, 4, 5]);
    expect(maxSim(one, [1], statesOf([-1, -2, -3, -4, -5]))).toBeCloseTo(-1, 6);
    const none = { dimensions: 5, scales: new Float32Array(0), values: new Int8Array(0) };
    expect(maxSim(one, [1], none)).toBe(0);
    expect(maxSim(none, [], one)).toBe(0);
    expect(maxSim(one, [1], statesOf([1, 2]))).toBe(0);
  });

  it('equals a plain computation', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (seed % 255) - 127;
    };
    const rows = (count: number) =>
      Array.from({ length: count }, () => Array.from({ length: 37 }, random));
    const [asked, given] = [rows(5), rows(9)];
    const cosine = (one: number[], other: number[]) =>
      one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0) /
      (Math.hypot(...one) * Math.hypot(...other));
    const weights = [1, 2, 3, 4, 5];
    const plain =
      asked.reduce(
        (sum, token, at) =>
          sum + (weights[at] ?? 0) * Math.max(...given.map((row) => cosine(token, row))),
        0,
      ) / 15;
    expect(maxSim(statesOf(...asked), weights, statesOf(...given))).toBeCloseTo(plain, 5);
  });
});

describe('pieceWeights()', () => {
  it('weighs what is rare among the texts more than what is in each', () => {
    const pool = ['Anna: the lake', 'Anna: the boat', 'Anna: the shed by the lake'];
    const [name, lake, boat, none] = pieceWeights(['anna', 'lake', 'boat', 'moon'], pool);
    expect(name).toBeLessThan(lake ?? 0);
    expect(lake).toBeLessThan(boat ?? 0);
    expect(boat).toBeLessThan(none ?? 0);
    expect(none).toBeCloseTo(Math.log(1 + 3.5 / 0.5) ** 0.75, 12);
  });

  it('looks for pieces without the signs of a tokenizer, and lets signs count little', () => {
    const [piece, word, sign] = pieceWeights(['##ing', '▁sing', '?'], ['singing']);
    expect(piece).toBe(word);
    expect(sign).toBe(0.16);
  });
});
