import type { fs } from '@cuervo/sdk';
import type { Term } from './parse-question.ts';
import { tuning } from './tuning.ts';

/**
 * Counts by term, and by `aliasColumns`, of which each term has some: what only begins like
 * it, then each of its aliases.
 */
export type TermCounts = { full: number[]; alias: number[] };

/** What each term of a question weighs in this tree. */
export type TermWeights = {
  /** inverse window frequency times the term's own weight */
  idf: readonly number[];
  /** the same by alias column, above that of the word only where the word is absent */
  aliasIdf: readonly number[];
  /** the term of each alias column */
  aliasTerm: readonly number[];
};

/** The term of each alias column. */
function aliasColumns(terms: readonly Term[]): number[] {
  return terms.flatMap((term, index) => [index, ...term.aliases.map(() => index)]);
}

/** The words of one tally: every form of every term, once. */
export function tallyWords(terms: readonly Term[]): string[] {
  return [...new Set(terms.flatMap((term) => [...term.forms, ...term.aliases]))];
}

/** Sums the counts of forms by term; `words` as they were tallied. */
export function createSummer(
  terms: readonly Term[],
  words: readonly string[],
): (counts: ArrayLike<number>) => TermCounts {
  const at = new Map(words.map((word, index) => [word, index]));
  const indices = (forms: readonly string[]) => forms.map((form) => at.get(form) ?? -1);
  const full = terms.map((term) => indices(term.forms));
  const alias = terms.flatMap((term) => [[], ...term.aliases.map((form) => indices([form]))]);
  const sum = (counts: ArrayLike<number>, columns: readonly number[]) => {
    let total = 0;
    for (const column of columns) total += counts[column] ?? 0;
    return total;
  };
  return (counts) => ({
    full: full.map((columns) => sum(counts, columns)),
    alias: alias.map((columns) => sum(counts, columns)),
  });
}

/** Rare words weigh more. */
export function weighTerms(
  terms: readonly Term[],
  words: readonly string[],
  tally: fs.TallyResult,
): TermWeights {
  const total = Math.max(1, tally.total);
  const share = new Map(words.map((word, index) => [word, (tally.holding[index] ?? 0) / total]));
  // The tally counts form by form; together they are taken as independent.
  const windowsWith = (forms: readonly string[]) =>
    total * (1 - forms.reduce((product, form) => product * (1 - (share.get(form) ?? 0)), 1));
  const inverse = (holding: number) => Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
  const idf = terms.map((term) => term.weight * inverse(windowsWith(term.forms)));
  const aliasIdf = terms.flatMap((term, index) => {
    const own = idf[index] ?? 0;
    // Who wrote the tree has another word for it.
    const isAbsent = windowsWith(term.forms) < tuning.absentBelow;
    const strength = isAbsent ? tuning.aliasOfAbsent : 1;
    const ofAlias = (form: string) =>
      strength * Math.min(term.weight * inverse(windowsWith([form])), own);
    return [own, ...term.aliases.map(ofAlias)];
  });
  return { idf, aliasIdf, aliasTerm: aliasColumns(terms) };
}

/**
 * Okapi BM25 of one text.
 *
 * @param length the text's words over the mean's; 1 is a text of mean length
 */
export function bm25(counts: TermCounts, length: number, weights: TermWeights): number {
  const norm = tuning.k1 * (1 - tuning.b + tuning.b * length);
  const gain = (count: number, idf: number) => (idf * count * (tuning.k1 + 1)) / (count + norm);
  let score = 0;
  let column = 0;
  for (let term = 0; term < weights.idf.length; term += 1) {
    let best = gain(counts.full[term] ?? 0, weights.idf[term] ?? 0);
    for (; weights.aliasTerm[column] === term; column += 1) {
      const count = counts.alias[column] ?? 0;
      if (count === 0) continue;
      best = Math.max(best, tuning.alias * gain(count, weights.aliasIdf[column] ?? 0));
    }
    score += best;
  }
  return score;
}
