import { mixScores } from '../lib/numbers.ts';
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
  const before = again.map(({ file }) => file.score);
  const after = again.map(({ score }) => score);
  const order = mixScores(before, after, share)
    .map(({ mixed }, at) => ({ file: (again[at] as (typeof again)[number]).file, mixed }))
    .sort((one, other) => other.mixed - one.mixed);
  const placed = [...ranked];
  for (const [at, { place, file }] of again.entries()) {
    placed[place] = { path: order[at]?.file.path ?? file.path, score: file.score };
  }
  return placed;
}
