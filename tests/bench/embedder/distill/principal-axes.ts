/**
 * The directions along which vectors have the greatest second moments (not centred), by
 * Jacobi's rotations.
 *
 * @param vectors of `size` each
 * @returns `count` axes of length 1, greatest first
 */
export function principalAxes(
  vectors: readonly Float32Array[],
  size: number,
  count: number,
): Float64Array[] {
  const matrix = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors) {
    for (let row = 0; row < size; row += 1) {
      const value = vector[row] as number;
      const line = matrix[row] as Float64Array;
      for (let at = row; at < size; at += 1)
        line[at] = (line[at] as number) + value * (vector[at] as number);
    }
  }
  for (let row = 0; row < size; row += 1)
    for (let at = 0; at < row; at += 1) entry(matrix, row)[at] = entry(matrix, at)[row] as number;
  const axes = Array.from({ length: size }, (_, row) => {
    const axis = new Float64Array(size);
    axis[row] = 1;
    return axis;
  });
  for (let sweep = 0; sweep < maxSweeps && offDiagonal(matrix) > tolerance; sweep += 1) {
    for (let one = 0; one < size - 1; one += 1)
      for (let other = one + 1; other < size; other += 1) rotate(matrix, axes, one, other);
  }
  const order = Array.from({ length: size }, (_, row) => row).sort(
    (left, right) =>
      (entry(matrix, right)[right] as number) - (entry(matrix, left)[left] as number),
  );
  return order.slice(0, count).map((row) => entry(axes, row));
}

const maxSweeps = 12;
/** The largest remainder beside the diagonal, as a share of the whole. */
const tolerance = 1e-16;

function entry(matrix: readonly Float64Array[], row: number): Float64Array {
  return matrix[row] as Float64Array;
}

function offDiagonal(matrix: readonly Float64Array[]): number {
  let off = 0;
  let all = 0;
  for (const [row, line] of matrix.entries()) {
    for (const [at, value] of line.entries()) {
      all += value * value;
      if (at !== row) off += value * value;
    }
  }
  return all === 0 ? 0 : off / all;
}

/** Turns two axes so that the matrix has nothing between them; both kept as rows. */
function rotate(matrix: Float64Array[], axes: Float64Array[], one: number, other: number): void {
  const [left, right] = [entry(matrix, one), entry(matrix, other)];
  const between = left[other] as number;
  if (Math.abs(between) < 1e-300) return;
  const theta = ((right[other] as number) - (left[one] as number)) / (2 * between);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (const line of matrix) {
    const [first, second] = [line[one] as number, line[other] as number];
    line[one] = cosine * first - sine * second;
    line[other] = sine * first + cosine * second;
  }
  for (const rows of [matrix, axes]) {
    const [upper, lower] = [entry(rows, one), entry(rows, other)];
    for (let at = 0; at < upper.length; at += 1) {
      const [first, second] = [upper[at] as number, lower[at] as number];
      upper[at] = cosine * first - sine * second;
      lower[at] = sine * first + cosine * second;
    }
  }
}
