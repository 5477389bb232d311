/** What one question got: the keys found, best first, and those that are right. */
export type Judged = {
  found: string[];
  relevant: string[];
  category: string;
  isOdd: boolean;
  /** the same by sessions, each at the place of the best of its turns */
  sessions?: { found: string[]; relevant: string[] };
};

/** nDCG over the first `places`, with relevance of 0 or 1. */
export function ndcg(found: readonly string[], relevant: readonly string[], places = 10): number {
  const right = new Set(relevant);
  const gain = found
    .slice(0, places)
    .reduce((sum, key, rank) => sum + (right.has(key) ? 1 / Math.log2(rank + 2) : 0), 0);
  let best = 0;
  for (let rank = 0; rank < Math.min(places, right.size); rank += 1)
    best += 1 / Math.log2(rank + 2);
  return best === 0 ? 0 : gain / best;
}

/** Share of what is right among the first `places`. */
export function recall(found: readonly string[], relevant: readonly string[], places = 10): number {
  const right = new Set(relevant);
  const shown = new Set(found.slice(0, places).filter((key) => right.has(key)));
  return right.size === 0 ? 0 : shown.size / right.size;
}

/**
 * The mean over collections of the mean over categories of the mean over questions: a long
 * conversation counts no more than a short one, a frequent category no more than a rare one.
 */
export function macroMean(
  collections: readonly (readonly Judged[])[],
  score: (judged: Judged) => number,
): number {
  const means = collections
    .filter((questions) => questions.length > 0)
    .map((questions) => {
      const categories = Map.groupBy(questions, ({ category }) => category);
      return mean(Array.from(categories.values(), (group) => mean(group.map(score))));
    });
  return mean(means);
}

export function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Reciprocal Rank Fusion with k 60: what weighted scores are compared with. */
export function fuseByRank(lists: readonly (readonly string[])[], k = 60): string[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    for (const [at, key] of list.entries()) {
      scores.set(key, (scores.get(key) ?? 0) + 1 / (k + at + 1));
    }
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([key]) => key);
}
