import type { fs } from '@cuervo/sdk';
import type { Term } from './parse-question.ts';
import { tuning } from './tuning.ts';

/** Counts by term, in full and through aliases; parallel to the question's terms. */
export type TermCounts = { full: number[]; alias: number[] };

/** What each term of a question weighs in this tree. */
export type TermWeights = {
  /** inverse window frequency times the term's own weight */
  idf: readonly number[];
  /** the same for its aliases together, never above that of the word; without any the word's own */
  aliasIdf: readonly number[];
};

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
  const alias = terms.map((term) => indices(term.aliases));
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
  const inverse = (forms: readonly string[]) => {
    // The tally counts form by form; together they are taken as independent.
    const without = forms.reduce((product, form) => product * (1 - (share.get(form) ?? 0)), 1);
    const holding = total * (1 - without);
    return Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
  };
  const idf = terms.map((term) => term.weight * inverse(term.forms));
  const aliasIdf = terms.map((term, index) => {
    const own = idf[index] ?? 0;
    return term.aliases.length === 0 ? own : Math.min(term.weight * inverse(term.aliases), own);
  });
  return { idf, aliasIdf };
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
  for (let term = 0; term < weights.idf.length; term += 1) {
    const direct = gain(counts.full[term] ?? 0, weights.idf[term] ?? 0);
    const indirect = tuning.alias * gain(counts.alias[term] ?? 0, weights.aliasIdf[term] ?? 0);
    score += Math.max(direct, indirect);
  }
  return score;
}
