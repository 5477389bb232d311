import { expect, it } from 'vitest';
import { principalAxes } from './principal-axes.ts';

it('principalAxes() gives the directions of the greatest moments first, at right angles', () => {
  const vectors = [
    Float32Array.of(3, 3, 0),
    Float32Array.of(-3, -3, 0),
    Float32Array.of(1, -1, 0),
    Float32Array.of(0, 0, 0.1),
  ];
  const [first, second] = principalAxes(vectors, 3, 2) as [Float64Array, Float64Array];
  const half = Math.SQRT1_2;
  for (const [at, wanted] of [half, half, 0].entries())
    expect(Math.abs(first[at] as number)).toBeCloseTo(wanted, 6);
  expect((second[0] as number) * (second[1] as number)).toBeCloseTo(-0.5, 6);
});
