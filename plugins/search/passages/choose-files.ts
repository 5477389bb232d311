import { bestForward } from './best-forward.ts';
import { byScore, fileScore, type RankedFile } from './ranked-file.ts';
import { tuning } from './tuning.ts';

/** Windows that a file has at most before those that it lacks count for it. */
const possibleWindows = 4;

/**
 * The files that are read, best first as far as counts and paths tell; both orders put their best
 * forward: by all windows, in which long files are strong, and by those with the rarest words, in
 * which short ones are. Scores the files on the way.
 *
 * @param worth of each path's kind
 */
export function chooseFiles(
  ranked: RankedFile[],
  pathScore: (path: string) => number,
  worth: ReadonlyMap<string, number>,
): RankedFile[] {
  const inRare = new Map<RankedFile, number>();
  for (const file of ranked) {
    const factor = worth.get(file.path) ?? 1;
    const path = pathScore(file.path);
    file.score = (fileScore(file.windows, possibleWindows) + path) * factor;
    const rare = file.windows.filter(({ order }) => order < tuning.rareWindows);
    if (rare.length > 0) inRare.set(file, (fileScore(rare, possibleWindows) + path) * factor);
  }
  const byWords = ranked.sort(byScore).slice(0, tuning.filesRead);
  const byRarity = [...inRare].sort(([, one], [, other]) => other - one).map(([file]) => file);
  return bestForward([byWords, byRarity.slice(0, tuning.filesRead)], tuning.filesRead);
}
