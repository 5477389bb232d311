import { expect, it } from 'vitest';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type PieceCounts, trainBatch } from './train-batch.ts';

const dimensions = 3;
const pieces = (...ids: number[]): PieceCounts => ({
  ids: Int32Array.from(ids),
  counts: Float32Array.from(ids, (id) => 1 + (id % 2)),
});
/** Comments share pieces with their own code and with that of others, and a phrase with each other. */
const asked = [
  { phrase: pieces(6, 7), comment: pieces(0, 1), code: pieces(0, 4, 5) },
  { phrase: pieces(7), comment: pieces(1, 2), code: pieces(1, 3, 5) },
  { phrase: pieces(), comment: pieces(2, 3), code: pieces(2, 0, 1) },
];
const rarity = Float32Array.of(1, 2, 0.5, 3, 1, 1, 4, 4);

const lossOf = (rows: Float32Array, slopes = new Float32Array(rows.length)): number =>
  trainBatch(rows, asked, { rarity, dimensions, batch: { slopes, touched: new Set() } });

it('trainBatch() adds the slopes that small steps measure', () => {
  const random = seededRandom(3);
  const rows = Float32Array.from({ length: 8 * dimensions }, () => random() - 0.5);
  const slopes = new Float32Array(rows.length);
  lossOf(rows, slopes);
  const step = 1e-3;
  for (let at = 0; at < rows.length; at += 1) {
    const moved = (by: number) => rows.map((value, own) => (own === at ? value + by : value));
    const measured = (lossOf(moved(step)) - lossOf(moved(-step))) / (2 * step);
    expect(slopes[at]).toBeCloseTo(measured, 1);
  }
  expect(Math.max(...slopes.map(Math.abs))).toBeGreaterThan(0.5);
});

it('trainBatch() leaves to words what words tell', () => {
  // All rows point the same way: only shared words tell the codes apart.
  const rows = new Float32Array(8 * dimensions).fill(1);
  const lossWith = (shared: (at: number) => number) => {
    const batch = { slopes: new Float32Array(rows.length), touched: new Set<number>() };
    const texts = [0, 1, 2].map((at) => ({
      phrase: pieces(7),
      comment: pieces(at),
      code: pieces(shared(at), 6),
    }));
    const loss = trainBatch(rows, texts, { rarity, dimensions, batch });
    expect([...batch.touched].toSorted()).toEqual([0, 1, 2, 6, 7]);
    return loss;
  };
  expect(lossWith((at) => at)).toBeLessThan(0.1);
  expect(lossWith((at) => (at + 1) % 3)).toBeGreaterThan(Math.log(3));
});
