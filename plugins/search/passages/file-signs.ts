import type { Question } from './parse-question.ts';
import { type FileText, type HitLine, lineText } from './read-hits.ts';
import type { TermWeights } from './term-weights.ts';
import { tuning } from './tuning.ts';

/** What a file's place is told by, besides what a meaning may add. */
export type FileSigns = {
  /** its score by words, its kind included, as a share of the best one's */
  words: number;
  /** natural logarithm of what its kind is worth, 0 for plain sources */
  kind: number;
  /** natural logarithm of its lines: a long file has some of every question's words */
  lines: number;
  /** the largest share of the question, by rarity, that a few lines in a row hold; 0 to 1 */
  near: number;
  /** the score of the test that is named after it, as a share of the best such test's */
  twin: number;
  /** the share of the question's messages that stand in it, 0 to 1 */
  message: number;
  /** how likely a path of a long text means it, 0 to 1 */
  place: number;
  /** how much of the names of a long text it defines, 0 to 1 */
  names: number;
};

/** Two or three more lines count for nothing in a file of few. */
const linesAdded = 10;
/** Lines in a row that are looked at together. */
const nearLines = 4;
/** What an alias counts there beside the word itself. */
const nearAlias = 0.5;

/** The signs weighed: one is `tuning.order.words` above another where nothing but words speaks for it. */
export function orderBySigns(signs: FileSigns, told: boolean): number {
  const order = told ? tuning.toldOrder : tuning.order;
  return (
    order.words * signs.words +
    order.kind * signs.kind +
    order.lines * signs.lines +
    order.near * signs.near +
    order.twin * signs.twin +
    order.message * signs.message +
    order.place * signs.place +
    order.names * signs.names
  );
}

/** For `lines` of the signs. */
export function logLines(count: number): number {
  return Math.log(count + linesAdded);
}

/** For `near` of the signs. */
export function nearShare(text: FileText, question: Question, weights: TermWeights): number {
  const total = weights.idf.reduce((sum, idf) => sum + idf, 0);
  if (total === 0) return 0;
  const terms = question.terms.length;
  const termOf = (column: number) =>
    column < terms ? column : (weights.aliasTerm[column - terms] ?? 0);
  const gainOf = (column: number) =>
    column < terms
      ? (weights.idf[column] ?? 0)
      : nearAlias *
        Math.min(weights.idf[termOf(column)] ?? 0, weights.aliasIdf[column - terms] ?? 0);
  // A guest counts slowly: lines say which columns they have, so that none is looked at in vain.
  const columns = terms + weights.aliasTerm.length;
  const term = Array.from({ length: columns }, (_, column) => termOf(column));
  const gain = Array.from({ length: columns }, (_, column) => gainOf(column));
  const best: number[] = new Array(terms).fill(0);
  let most = 0;
  const { hits } = text;
  for (let first = 0; first < hits.length; first += 1) {
    const end = (hits[first] as HitLine).line + nearLines;
    best.fill(0);
    let sum = 0;
    for (let at = first; at < hits.length; at += 1) {
      const hit = hits[at] as HitLine;
      if (hit.line >= end) break;
      for (const column of hit.columns) {
        const own = term[column] as number;
        const more = (gain[column] as number) - (best[own] as number);
        if (more <= 0) continue;
        best[own] = gain[column] as number;
        sum += more;
      }
    }
    if (sum > most) most = sum;
  }
  return most / total;
}

/** The best that one heading of a document holds of the question; 0 to 1. */
export function headingShare(text: FileText, weights: TermWeights): number {
  const headings = text.hits.filter(({ defines }) => defines);
  return Math.max(0, ...headings.map((hit) => headingShareOf(text, hit, weights)));
}

/**
 * The share of the question, by rarity, that a heading holds; less where the heading speaks of other
 * things, too: `Using sessions` says more of sessions than `Session middleware of your own`.
 */
export function headingShareOf(text: FileText, hit: HitLine, { idf }: TermWeights): number {
  const total = idf.reduce((sum, each) => sum + each, 0);
  if (total === 0) return 0;
  const held = hit.counts.full.map((count, term) => (count > 0 ? (idf[term] ?? 0) : 0));
  const words = (lineText(text, hit.line).match(/[\p{L}\p{N}]{3,}/gu) ?? []).length;
  const own = held.filter((each) => each > 0).length / Math.max(1, words);
  const share = held.reduce((sum, each) => sum + each, 0) / total;
  return share * (1 + Math.min(1, own)) * 0.5;
}

/** For `message` of the signs. */
export function messageShare(text: FileText | undefined, messages: readonly string[]): number {
  if (text === undefined || messages.length === 0) return 0;
  return messages.filter((message) => text.text.includes(message)).length / messages.length;
}

/** Lines that a message begins on, from 0; the first of each. */
export function messageLines({ text }: FileText, messages: readonly string[]): number[] {
  const places = messages.map((message) => text.indexOf(message)).filter((at) => at >= 0);
  return places.map((at) => text.slice(0, at).split('\n').length - 1);
}

const testName =
  /^(?:tests?[_-](?<after>.+)|(?<before>.+?)(?:[._-](?:tests?|specs?)|Tests?|Spec))$/;

/**
 * By the name of what they test, in lower case and without its ending, the scores of tests.
 *
 * @param files all that hold a word of the question
 */
export function scoresOfTests(
  files: readonly { path: string; score: number }[],
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { path, score } of files) {
    const found = testName.exec(nameOf(path))?.groups;
    const tested = (found?.after ?? found?.before)?.toLowerCase();
    if (tested !== undefined && score > (scores.get(tested) ?? 0)) scores.set(tested, score);
  }
  return scores;
}

/** What a test is named after: `src/parse-url.ts` is `parse-url`. */
export function testedName(path: string): string {
  return nameOf(path).toLowerCase();
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.d)?\.\w+$/, '');
}
