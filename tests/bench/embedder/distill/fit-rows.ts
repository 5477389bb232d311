/** Pieces of one text with their counts, weighed and divided by the root of their number. */
export type SparseText = { pieces: Int32Array; values: Float32Array };

/**
 * Ridge regression of the texts' vectors on the sums of their pieces' rows, by steps of
 * conjugate gradient from the rows that are given: few steps and a strong pull towards these
 * keep the rows of rare pieces where the model put them.
 *
 * @param rows of `dimensions` each; changed in place
 * @param targets a vector a text
 * @param pull weight of the squared distance from the first rows, no unit
 */
export function fitRows(
  rows: Float32Array,
  texts: readonly SparseText[],
  targets: readonly Float32Array[],
  options: {
    dimensions: number;
    pull: number;
    steps: number;
    onStep(step: number, error: number): void;
  },
): void {
  const { dimensions, pull, steps, onStep } = options;
  scaleRows(rows, texts, targets, dimensions);
  // Solves (X'X + pull·I)·D = X'(V − X·R) for the change D of the rows R.
  const residual = new Float32Array(rows.length);
  let squares = 0;
  const sum = new Float32Array(dimensions);
  for (const [index, text] of texts.entries()) {
    sumRows(rows, text, dimensions, sum);
    const target = targets[index] as Float32Array;
    for (let at = 0; at < dimensions; at += 1) {
      sum[at] = (target[at] as number) - (sum[at] as number);
      squares += (sum[at] as number) ** 2;
    }
    spread(sum, text, dimensions, residual);
  }
  onStep(0, squares / texts.length);
  const direction = residual.slice();
  const change = new Float32Array(rows.length);
  let norm = dot(residual, residual);
  for (let step = 1; step <= steps; step += 1) {
    const image = new Float32Array(rows.length);
    for (const text of texts) {
      sumRows(direction, text, dimensions, sum);
      spread(sum, text, dimensions, image);
    }
    for (let at = 0; at < image.length; at += 1)
      image[at] = (image[at] as number) + pull * (direction[at] as number);
    const length = norm / dot(direction, image);
    for (let at = 0; at < rows.length; at += 1) {
      change[at] = (change[at] as number) + length * (direction[at] as number);
      residual[at] = (residual[at] as number) - length * (image[at] as number);
    }
    const next = dot(residual, residual);
    onStep(step, next);
    for (let at = 0; at < rows.length; at += 1)
      direction[at] = (residual[at] as number) + (next / norm) * (direction[at] as number);
    norm = next;
  }
  for (let at = 0; at < rows.length; at += 1)
    rows[at] = (rows[at] as number) + (change[at] as number);
}

/** By one factor, so that the sums are as long as what they are to meet: else the rows of rare
 * pieces, which hardly change, outweigh all others. */
function scaleRows(
  rows: Float32Array,
  texts: readonly SparseText[],
  targets: readonly Float32Array[],
  dimensions: number,
): void {
  const sum = new Float32Array(dimensions);
  let [across, own] = [0, 0];
  for (const [index, text] of texts.entries()) {
    sumRows(rows, text, dimensions, sum);
    across += dot(sum, targets[index] as Float32Array);
    own += dot(sum, sum);
  }
  const factor = own === 0 ? 1 : across / own;
  for (let at = 0; at < rows.length; at += 1) rows[at] = (rows[at] as number) * factor;
}

function sumRows(
  rows: Float32Array,
  text: SparseText,
  dimensions: number,
  sum: Float32Array,
): void {
  sum.fill(0);
  for (let index = 0; index < text.pieces.length; index += 1) {
    const from = (text.pieces[index] as number) * dimensions;
    const value = text.values[index] as number;
    for (let at = 0; at < dimensions; at += 1)
      sum[at] = (sum[at] as number) + value * (rows[from + at] as number);
  }
}

function spread(sum: Float32Array, text: SparseText, dimensions: number, rows: Float32Array): void {
  for (let index = 0; index < text.pieces.length; index += 1) {
    const from = (text.pieces[index] as number) * dimensions;
    const value = text.values[index] as number;
    for (let at = 0; at < dimensions; at += 1)
      rows[from + at] = (rows[from + at] as number) + value * (sum[at] as number);
  }
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] as number) * (right[at] as number);
  return sum;
}
