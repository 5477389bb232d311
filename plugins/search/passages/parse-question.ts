import { findMessages } from './find-messages.ts';
import { programWords } from './program-words.ts';
import { isReport, type Report, readReport } from './read-report.ts';
import { relatedWords } from './related-words.ts';
import { replacePhrases } from './replace-phrases.ts';
import { stemWord } from './stem-word.ts';
import { askingWords, stopWords } from './stop-words.ts';
import { tells } from './told-form.ts';
import { tuning } from './tuning.ts';

/** One word of a question with what to count for it. */
export type Term = {
  /** as asked, lower case */
  word: string;
  /** beginnings that count in full; none is a beginning of another */
  forms: readonly string[];
  /** beginnings of words with nearly the same meaning; they count less */
  aliases: readonly string[];
  /** above 0; 1 for a plain word */
  weight: number;
};

export type Question = {
  terms: readonly Term[];
  /** identifiers, paths, quoted texts and messages, to be found as they stand */
  exact: readonly string[];
  /** those of them that have several words; files that hold one are looked at in any case */
  messages: readonly string[];
  /** words next to each other in the question, as indices of `terms` */
  pairs: readonly (readonly [number, number])[];
  /** it says what is wrong or is to change, and asks nothing */
  told: boolean;
  /** of a long text; names and places that it mentions */
  report?: Report;
};

/** Characters of a question that are read; a longer one is a paste, and its head says what it is. */
const maxQuestionCharacters = 8000;
/** Words that one tally takes. */
const maxForms = 64;
const maxTerms = 28;
/** Words of a long text, which get no other forms. */
const maxReportTerms = 36;
/** Below so many words, small words that are words of programming languages count too. */
const fewWords = 3;
const keywords = new Set([
  'else',
  'if',
  'for',
  'then',
  'while',
  'with',
  'yield',
  'not',
  'all',
  'any',
  'only',
]);
const maxExact = 8;
/** Aliases of one word; no word has more. */
const maxAliases = 24;

/** Both ends of a text that is too long: a traceback says at one of them what failed. */
function endsOf(text: string): string {
  const half = maxQuestionCharacters / 2;
  return text.length <= 2 * half ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** What to look for: the words of a question that can stand in code. */
export function parseQuestion(question: string): Question {
  const text = endsOf(question).toWellFormed();
  const messages = findMessages(text);
  const exact = [...new Set([...messages, ...findExact(text)])].slice(0, maxExact);
  const report = isReport(text) ? readReport(text) : undefined;
  const words = plainWords(report?.text ?? replacePhrases(text));
  const most = report === undefined ? maxTerms : maxReportTerms;
  const kept: { word: string; at: number }[] = [];
  const seen = new Set<string>();
  for (const [at, word] of words.entries()) {
    if (kept.length >= most) break;
    if (report !== undefined && seen.has(word)) continue;
    seen.add(word);
    if (!stopWords.has(word)) kept.push({ word, at });
  }
  // A short question may be about the small words themselves: `is an if without else an error?`
  if (kept.length < fewWords) {
    for (const [at, word] of words.entries()) if (keywords.has(word)) kept.push({ word, at });
    kept.sort((left, right) => left.at - right.at);
  }
  // A question of nothing but small words still has to look for something.
  const chosen =
    kept.length > 0 ? kept : words.slice(0, maxTerms).map((word, at) => ({ word, at }));
  const told = report !== undefined || tells(text);
  const read = report === undefined ? {} : { report };
  return { ...withAliases(chosen, report === undefined), exact, messages, told, ...read };
}

function withAliases(
  chosen: readonly { word: string; at: number }[],
  isWidened: boolean,
): Pick<Question, 'terms' | 'pairs'> {
  const terms: Term[] = [];
  const places: number[] = [];
  for (const { word, at } of chosen) {
    const forms = stemWord(word);
    const known = terms.findIndex((term) => overlaps(term.forms, forms));
    if (known >= 0) continue;
    const taken = terms.reduce((sum, term) => sum + term.forms.length, 0);
    if (taken + forms.length > maxForms) break;
    const weight = askingWords.has(word) ? tuning.asking : 1;
    terms.push({ word, forms, aliases: [], weight });
    places.push(at);
  }
  let room = maxForms - terms.reduce((sum, term) => sum + term.forms.length, 0);
  const all = terms.flatMap((term) => term.forms);
  const wanted = terms.map((term) => {
    if (term.weight < 1 || !isWidened) return [];
    const words = [...new Set([...relatedWords(term.forms), ...programWords(term.forms)])];
    return words.filter(
      (alias) => !all.some((form) => alias.startsWith(form) || form.startsWith(alias)),
    );
  });
  // In turn, so that the last word of a long question is widened as well.
  const aliases: string[][] = terms.map(() => []);
  for (let rank = 0; rank < maxAliases && room > 0; rank += 1) {
    for (const [index, words] of wanted.entries()) {
      const alias = words[rank];
      if (alias === undefined || room === 0) continue;
      aliases[index]?.push(alias);
      room -= 1;
    }
  }
  const widened = terms.map((term, index) => ({ ...term, aliases: aliases[index] ?? [] }));
  return { terms: widened, pairs: neighbours(places) };
}

function overlaps(left: readonly string[], right: readonly string[]): boolean {
  return left.some((one) => right.some((other) => one.startsWith(other) || other.startsWith(one)));
}

/** Pairs of terms with at most one small word between them. */
function neighbours(places: readonly number[]): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let index = 1; index < places.length; index += 1) {
    if ((places[index] as number) - (places[index - 1] as number) <= 2)
      pairs.push([index - 1, index]);
  }
  return pairs;
}

/** Words in lower case, identifiers split at case, digits, `_` and `-`. */
function plainWords(text: string): string[] {
  const words: string[] = [];
  for (const run of text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []) {
    for (const part of splitIdentifier(unsplit(run))) {
      const word = part.toLowerCase();
      if (word.length > 1 || /\P{ASCII}/u.test(word)) words.push(word.slice(0, 64));
    }
  }
  return words;
}

/** Names that are one word in spite of their capitals. */
const oneWord =
  /^(?:NaN|OAuth\d?|macOS|iOS|IPv[46]|JavaScript|TypeScript|GitHub|GitLab|MySQL|PostgreSQL|SQLite|GraphQL|YouTube|LaTeX)$/;

/** `URLs` -> `URL`, `NaN` -> `nan`: what would be split where no word ends. */
function unsplit(run: string): string {
  if (oneWord.test(run)) return run.toLowerCase();
  return run.replace(/^(\p{Lu}{2,})s$/u, '$1');
}

/** `parseHTTPHeader2` -> `parse`, `HTTP`, `Header`, `2`. */
export function splitIdentifier(identifier: string): string[] {
  return (
    identifier.match(/\p{Lu}+(?![\p{Ll}])|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}]+/gu) ??
    []
  );
}

/** Texts in quotes, and words that can only be names: with inner case, `_`, `.`, `/`, `::`, `()`. */
function findExact(text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(
    /`([^`\n]{2,80})`|"([^"\n]{2,80})"|(?<!\w)'([^'\n]{2,80})'(?!\w)/g,
  )) {
    found.add((match[1] ?? match[2] ?? match[3] ?? '').trim());
  }
  for (const match of text.matchAll(
    /[$@#]?[A-Za-z_][\w$]*(?:(?:\.|::|->|\/|-)[A-Za-z_$][\w$]*)*(?:\(\))?/g,
  )) {
    const name = match[0].replace(/\(\)$/, '');
    const inner = /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|::|->|\/|\.[a-z]|[A-Z]{2,}[a-z]/.test(
      name,
    );
    if (name.length > 3 && (inner || match[0].endsWith('()'))) found.add(name);
  }
  return [...found].filter((name) => name.length > 1);
}
