import type { RankedFile } from './rank-files.ts';

/**
 * The best files once more, by `(1 − share) · score + share · rerank`, both brought to 0 … 1 over
 * those that were reranked; these share the scores that they had.
 *
 * @param ranked best first
 * @param rerank by path, of no fixed range; a file that is not in it keeps its place
 * @returns best first
 */
export function mixReranked(
  ranked: readonly RankedFile[],
  rerank: ReadonlyMap<string, number>,
  share: number,
): RankedFile[] {
  const again = ranked.flatMap((file, place) => {
    const score = rerank.get(file.path);
    return score === undefined ? [] : [{ file, place, score }];
  });
  if (again.length < 2) return [...ranked];
  const before = spread(again.map(({ file }) => file.score));
  const after = spread(again.map(({ score }) => score));
  const order = again
    .map(({ file }, at) => ({
      file,
      mix: (1 - share) * (before[at] ?? 0) + share * (after[at] ?? 0),
    }))
    .sort((one, other) => other.mix - one.mix);
  const placed = [...ranked];
  for (const [at, { place, file }] of again.entries()) {
    placed[place] = { path: order[at]?.file.path ?? file.path, score: file.score };
  }
  return placed;
}

/** 0 for the least, 1 for the most; all 0 where they are alike. */
function spread(values: readonly number[]): number[] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
}
