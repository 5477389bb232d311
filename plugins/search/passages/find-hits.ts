import type { Term } from './parse-question.ts';
import type { TermCounts } from './term-weights.ts';

/** Hits of a question's words by line; lines without any are absent. */
export type LineHits = ReadonlyMap<number, TermCounts>;

/**
 * Finds a question's words in a text, with the rule of `fs.tally`: a word counts where a
 * plain word or a part of an identifier begins with it.
 *
 * @param starts of the lines, from `lineStarts`
 * @returns counts by line, from 0
 */
export function findHits(
  text: string,
  starts: readonly number[],
  terms: readonly Term[],
): LineHits {
  let lower = text.toLowerCase();
  // A few letters change their length; then the case is given up, not the places.
  let cased = text;
  if (lower.length !== text.length) {
    cased = text.replace(/\P{ASCII}/gu, ' ');
    lower = cased.toLowerCase();
  }
  const hits = new Map<number, TermCounts>();
  const count = (form: string, term: number, kind: 'full' | 'alias') => {
    let line = 0;
    for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + form.length)) {
      if (!beginsPart(cased, at)) continue;
      line = lineOf(starts, at, line);
      let counts = hits.get(line);
      if (counts === undefined) {
        counts = { full: new Array(terms.length).fill(0), alias: new Array(terms.length).fill(0) };
        hits.set(line, counts);
      }
      counts[kind][term] = (counts[kind][term] ?? 0) + 1;
    }
  };
  for (const [index, term] of terms.entries()) {
    for (const form of term.forms) count(form, index, 'full');
    for (const form of term.aliases) count(form, index, 'alias');
  }
  return hits;
}

/** Where each line begins. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line that holds `at`; `from` is a line at or before it. */
function lineOf(starts: readonly number[], at: number, from: number): number {
  let low = from;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether a word, or a part of an identifier, begins at `at`. */
export function beginsPart(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (!isLetter(before)) return true;
  const first = text.charCodeAt(at);
  if (!isLetter(first)) return true;
  if (!isUpper(first)) return false;
  if (!isUpper(before)) return true;
  const next = text.charCodeAt(at + 1);
  return isLetter(next) && !isUpper(next);
}

function isLetter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return /\p{L}/u.test(String.fromCharCode(code));
}

function isUpper(code: number): boolean {
  if (code < 128) return code >= 65 && code <= 90;
  const character = String.fromCharCode(code);
  return character !== character.toLowerCase();
}
