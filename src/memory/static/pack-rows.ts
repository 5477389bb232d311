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
