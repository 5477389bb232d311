import { describe, expect, it } from 'vitest';
import { encodeEmbedderFile, packRows } from '../../../tests/bench/embedder/write-embedder.ts';
import { decodeEmbedderFile, type EmbedderFile } from './embedder-file.ts';

const file: EmbedderFile = {
  rows: 2,
  dimensions: 3,
  scales: Float32Array.of(0.5, 0.25),
  values: Int8Array.of(1, -2, 127, -127, 0, 3),
  vocabulary: '[UNK]\né',
  notice: 'made of nothing\n',
};

describe('decodeEmbedderFile()', () => {
  it('reads what encodeEmbedderFile() wrote, at any offset', () => {
    const bytes = encodeEmbedderFile(file);
    expect(decodeEmbedderFile(bytes)).toEqual(file);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(decodeEmbedderFile(shifted.subarray(1))).toEqual(file);
  });

  it('refuses other bytes, and every file that ends too soon', () => {
    const bytes = encodeEmbedderFile(file);
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => decodeEmbedderFile(bytes.subarray(0, length)), `${length}`).toThrow(RangeError);
    expect(() => decodeEmbedderFile(Buffer.from('STE2 and more bytes'))).toThrow(/STE1/);
    const uneven = encodeEmbedderFile({ ...file, vocabulary: 'a\nb\nc' });
    expect(() => decodeEmbedderFile(uneven)).toThrow('2 rows and 3 pieces');
  });
});

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
