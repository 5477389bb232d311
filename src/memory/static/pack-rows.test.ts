import { expect, it } from 'vitest';
import { packRows } from './pack-rows.ts';

it('packRows() turns rows onto axes, and rounds them by their own greatest value', () => {
  const rows = Float32Array.of(3, 4, 0, 1, -2, 0);
  const axes = [Float64Array.of(0, 1), Float64Array.of(1, 0)];
  const table = { vocabulary: ['file', '[PAD]', '##s'], dimensions: 2 };
  const packed = packRows(rows, table, axes, (row) => row + 1);
  expect(packed).toMatchObject({ rows: 3, dimensions: 2 });
  expect([...packed.values]).toEqual([127, Math.round((3 / 4) * 127), 0, 0, 0, -127]);
  const [file = 0, mark, s = 0] = packed.scales;
  expect(mark).toBe(0);
  expect(file * 127).toBeCloseTo(4, 5);
  expect(s * 127).toBeCloseTo(2 * 3, 5);
});
