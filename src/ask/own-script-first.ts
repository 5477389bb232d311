import { largest } from '../lib/numbers.ts';
import type { RankedFile } from './rank-files.ts';

/** Scripts that the words of code are not written in, and whose words stand together. */
const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;
/** The share of the question's pairs of signs that a text must have. */
const mostOfThem = 0.5;

/**
 * Moves files to the front that have most of the question's words in its own script. A document in
 * the person's language answers better than code found by a translation.
 */
export function ownScriptFirst(
  ranked: readonly RankedFile[],
  found: readonly { path: string; regions: readonly { text: string }[] }[],
  question: string,
): readonly RankedFile[] {
  const asked = new Set(
    (question.match(runs) ?? []).flatMap((run) =>
      Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
    ),
  );
  if (asked.size === 0) return ranked;
  const shareOf = (text: string): number =>
    asked
      .values()
      .filter((pair) => text.includes(pair))
      .toArray().length / asked.size;
  const saying = found.filter(({ regions }) =>
    regions.some(({ text }) => shareOf(text) >= mostOfThem),
  );
  const first = new Set(saying.map(({ path }) => path));
  const best = largest(
    ranked.map(({ score }) => score),
    0,
  );
  return ranked
    .map((file) => (first.has(file.path) ? { ...file, score: file.score + best } : file))
    .toSorted((one, other) => other.score - one.score);
}
