/**
 * The rows nearest to a vector, by a look at each of them: what an index is held against.
 *
 * @param vectors of length 1, one after the other
 * @param takes which rows count; all of them unless given
 * @returns numbers of rows, nearest first
 */
export function nearest(
  vector: Float32Array,
  vectors: Float32Array,
  limit: number,
  takes: (row: number) => boolean = () => true,
): number[] {
  const size = vector.length;
  const rows = vectors.length / size;
  const best: { row: number; cosine: number }[] = [];
  let worst = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row += 1) {
    if (!takes(row)) continue;
    let cosine = 0;
    const from = row * size;
    for (let at = 0; at < size; at += 1) {
      cosine += (vector[at] as number) * (vectors[from + at] as number);
    }
    if (best.length === limit && cosine <= worst) continue;
    best.push({ row, cosine });
    best.sort((one, other) => other.cosine - one.cosine);
    if (best.length > limit) best.pop();
    worst = best.at(-1)?.cosine ?? worst;
  }
  return best.map(({ row }) => row);
}
