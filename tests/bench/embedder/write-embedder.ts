import type { EmbedderFile } from '../../../src/memory/static/embedder-file.ts';

/** The bytes of a file, see `EmbedderFile`. */
export function encodeEmbedderFile(file: EmbedderFile): Uint8Array {
  const { rows, dimensions, scales, values } = file;
  const texts = [file.vocabulary, file.notice].map((text) => Buffer.from(text));
  const head = Buffer.alloc(12);
  head.write('STE1', 'latin1');
  head.writeUInt32LE(rows, 4);
  head.writeUInt32LE(dimensions, 8);
  const scaleBytes = Buffer.alloc(rows * 4);
  for (let row = 0; row < rows; row += 1) scaleBytes.writeFloatLE(scales[row] ?? 0, row * 4);
  const parts = [head, scaleBytes, Buffer.from(values.buffer, values.byteOffset, values.length)];
  for (const text of texts) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    parts.push(length, text);
  }
  return Buffer.concat(parts);
}

/** Marks of the vocabulary that stand for no word. */
const mark = /^\[[A-Z0-9a-z]+\]$/;

/**
 * Rows turned onto axes and rounded to 8 bits each; those of marks weigh nothing.
 *
 * @param rows of `dimensions` each, one for each piece of the vocabulary
 * @param axes of `dimensions` each
 * @param weightOf what a row counts beside its length
 */
export function packRows(
  rows: Float32Array,
  { vocabulary, dimensions }: { vocabulary: readonly string[]; dimensions: number },
  axes: readonly Float64Array[],
  weightOf: (row: number) => number = () => 1,
): { rows: number; dimensions: number; scales: Float32Array; values: Int8Array } {
  const scales = new Float32Array(vocabulary.length);
  const values = new Int8Array(vocabulary.length * axes.length);
  for (const [row, piece] of vocabulary.entries()) {
    if (mark.test(piece)) continue;
    const own = rows.subarray(row * dimensions, (row + 1) * dimensions);
    const projected = axes.map((axis) => dot(axis, own));
    const most = Math.max(...projected.map(Math.abs)) || 1;
    scales[row] = (weightOf(row) * most) / 127;
    for (const [at, value] of projected.entries())
      values[row * axes.length + at] = Math.round((value / most) * 127);
  }
  return { rows: vocabulary.length, dimensions: axes.length, scales, values };
}

function dot(axis: Float64Array, row: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < row.length; at += 1) sum += (axis[at] as number) * (row[at] as number);
  return sum;
}
