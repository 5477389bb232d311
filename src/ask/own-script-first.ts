import type { RankedFile } from './rank-files.ts';

/** Scripts that the words of code are not written in, and whose words stand together. */
const runs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;
/** Of the pairs of signs in the question. */
const mostOfThem = 0.5;

/**
 * Puts files first that say most of what the question says in its own script: a document in the
 * language of the person says more than code that is found by a translation.
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
  const best = Math.max(0, ...ranked.map(({ score }) => score));
  return ranked
    .map((file) => (first.has(file.path) ? { ...file, score: file.score + best } : file))
    .toSorted((one, other) => other.score - one.score);
}
