import type { Term } from './parse-question.ts';
import type { TermCounts } from './term-weights.ts';

/** The counts of one line. */
export type LineHits = TermCounts & {
  /** where they are not 0: a term's index, or the number of terms and an alias column; may repeat */
  columns: number[];
};

/**
 * Finds a question's words in a text. As in `fs.tally` a word is found where a plain word,
 * or a part of an identifier, begins with it; here the rest is looked at as well: what is
 * no inflection (`signal` for `sign`) counts as an alias only.
 *
 * @param starts of the lines, from `lineStarts`
 * @returns counts by line, from 0; lines without any are absent
 */
export function findHits(
  text: string,
  starts: readonly number[],
  terms: readonly Term[],
): ReadonlyMap<number, LineHits> {
  let cased = text;
  let lower = text.toLowerCase();
  if (lower.length !== text.length) {
    // A few letters change their length; their places matter more than they do.
    cased = text.replace(/\P{ASCII}/gu, ' ');
    lower = cased.toLowerCase();
    if (lower.length !== text.length) return new Map();
  }
  const hits = new Map<number, LineHits>();
  const columns = terms.length + terms.reduce((sum, term) => sum + term.aliases.length, 0);
  const count = (form: string, index: number, column: number, word: string, isAlias: boolean) => {
    let line = 0;
    for (let at = lower.indexOf(form); at >= 0; at = lower.indexOf(form, at + form.length)) {
      if (!beginsPart(cased, at)) continue;
      const whole = isInflection(cased, at, form, word);
      if (isAlias && !whole) continue;
      line = lineOf(starts, at, line);
      let counts = hits.get(line);
      if (counts === undefined) {
        counts = {
          full: new Array(terms.length).fill(0),
          alias: new Array(columns).fill(0),
          columns: [],
        };
        hits.set(line, counts);
      }
      if (isAlias || !whole) {
        counts.alias[column] = (counts.alias[column] ?? 0) + 1;
        counts.columns.push(terms.length + column);
      } else {
        counts.full[index] = (counts.full[index] ?? 0) + 1;
        counts.columns.push(index);
      }
    }
  };
  let column = 0;
  for (const [index, term] of terms.entries()) {
    for (const form of term.forms) count(form, index, column, term.word, false);
    column += 1;
    for (const form of term.aliases) {
      count(form, index, column, term.word, true);
      column += 1;
    }
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
function beginsPart(text: string, at: number): boolean {
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

const inflection =
  /^(?:|.?(?:e|es|ed|er|ers|or|ors|ing|ings|able|ables|ible)|s|d|r|rs|n|t|y|ies|ied|i?ons?|[ai]?tions?|[a-z]?ations?|m?e?nts?|e?ments?|e?ly|ity|ives?|ness|ful|less|th|ie|h|at(?:e|es|ed|ing|ors?)|[ae]nces?|[iy][sz](?:e|es|ed|ing|ation|ations|er|ers)|tten|val|als?)$/;
const longestInflection = 9;

/** Whether what begins with `form` at `at` is a form of the same word. */
function isInflection(text: string, at: number, form: string, word: string): boolean {
  const from = at + form.length;
  const upper = isUpper(text.charCodeAt(from)) && isUpper(text.charCodeAt(from - 1));
  let end = from;
  while (end - from < longestInflection && isLetter(text.charCodeAt(end))) {
    // `DOMStream`: the last capital of a row begins the next part
    if (isUpper(text.charCodeAt(end)) && (!upper || isLower(text.charCodeAt(end + 1)))) break;
    end += 1;
  }
  if (end === from) return true;
  const rest = text.slice(from, end).toLowerCase();
  // `sign` has many words that go on with -al, a long word has none but its own.
  if (form.length < 5 && /^als?$/.test(rest) && !word.startsWith(form + rest)) return false;
  if (word.startsWith(form)) {
    const own = word.slice(form.length);
    if (rest.startsWith(own) && inflection.test(rest.slice(own.length))) return true;
  }
  return inflection.test(rest);
}

function isLetter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return /\p{L}/u.test(String.fromCharCode(code));
}

function isLower(code: number): boolean {
  return isLetter(code) && !isUpper(code);
}

function isUpper(code: number): boolean {
  if (code < 128) return code >= 65 && code <= 90;
  const character = String.fromCharCode(code);
  return character !== character.toLowerCase();
}
