import { expect, it } from 'vitest';
import { fitRows } from './fit-rows.ts';

it('fitRows() finds rows whose sums meet the targets', () => {
  const text = (...pieces: number[]) => ({
    pieces: Int32Array.from(pieces),
    values: Float32Array.from(pieces, () => 1),
  });
  const texts = [text(0), text(1), text(0, 1)];
  const targets = [Float32Array.of(1, 0), Float32Array.of(0, 2), Float32Array.of(1, 2)];
  const rows = Float32Array.of(0.5, 0.1, 0.2, 0.4);
  const left: number[] = [];
  fitRows(rows, texts, targets, {
    dimensions: 2,
    pull: 1e-6,
    steps: 8,
    onStep: (_step, error) => left.push(error),
  });
  for (const [at, wanted] of [1, 0, 0, 2].entries()) expect(rows[at]).toBeCloseTo(wanted, 3);
  expect(left.at(-1)).toBeLessThan(left[0] as number);
});
