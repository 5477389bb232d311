import { mkdtempDisposableSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeEmbedderFile } from '../../../tests/bench/embedder/write-embedder.ts';
import { decodeEmbedderFile } from './embedder-file.ts';
import { openEmbedderFile } from './load-embedder.ts';

/** More rows than are read one by one. */
const rows = 9_000;
const made = {
  rows,
  dimensions: 3,
  scales: Float32Array.from({ length: rows }, (_, row) => row / 4),
  values: Int8Array.from({ length: rows * 3 }, (_, at) => (at * 7) % 251),
  vocabulary: Array.from({ length: rows }, (_, row) => `piece${row}`).join('\n'),
  notice: 'made of nothing\n',
};

describe('openEmbedderFile()', () => {
  it('has each row that is needed, few of them and all', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'cuervo-embedder-'));
    const path = join(folder.path, 'x.ste');
    writeFileSync(path, encodeEmbedderFile(made));
    const whole = decodeEmbedderFile(readFileSync(path));
    const file = openEmbedderFile(path);
    const rowOf = ({ values }: { values: Int8Array }, row: number) =>
      values.slice(row * 3, row * 3 + 3);
    for (const row of [rows - 1, 0, 4_000, 15, 16]) {
      file.need(row);
      expect(rowOf(file, row), `${row}`).toEqual(rowOf(whole, row));
    }
    for (let row = 0; row < rows; row += 1) file.need(row);
    const { notice: _, ...tables } = whole;
    expect(file).toMatchObject(tables);
  });

  it('refuses a file that ends too soon, also while it is read', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'cuervo-embedder-'));
    const path = join(folder.path, 'x.ste');
    const bytes = encodeEmbedderFile(made);
    for (const length of [0, 4, 11, 12, 40_000, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length));
      expect(() => openEmbedderFile(path), `${length}`).toThrow(RangeError);
    }
    writeFileSync(path, bytes);
    const file = openEmbedderFile(path);
    truncateSync(path, 40_000);
    expect(() => file.need(rows - 1)).toThrow('it was cut off while it was read');
  });
});
