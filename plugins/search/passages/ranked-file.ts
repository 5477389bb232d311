import type { FileSigns } from './file-signs.ts';
import type { FileText } from './read-hits.ts';
import { tuning } from './tuning.ts';

/** A window of lines. */
export type RankedWindow = {
  line: number;
  /** its words over the mean's */
  length: number;
  score: number;
  /** its place among all, by how rare their words are */
  order: number;
};

export type RankedFile = {
  /** relative to the workspace */
  path: string;
  score: number;
  /** best first */
  windows: RankedWindow[];
  /** absent where the file could not be read */
  text?: FileText;
  /** of those that were read, or could not be */
  signs?: FileSigns;
  /** lines that hold a message, or define what a long text names first; from 0 */
  sure?: readonly number[];
  /** the line that a trace names; from 0 */
  frame?: number;
};

export function byScore(left: { score: number }, right: { score: number }): number {
  return right.score - left.score;
}

/** @param possible windows that a file of its length has */
export function fileScore(windows: RankedWindow[], possible: number): number {
  windows.sort(byScore);
  const best = windows[0]?.score ?? 0;
  let next = 0;
  for (let rank = 1; rank <= 3; rank += 1) {
    next += windows[rank]?.score ?? (rank < possible ? 0 : tuning.absentWindow * best);
  }
  return best + tuning.nextWindows * next;
}
