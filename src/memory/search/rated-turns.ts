import type { MemoryHit } from '../../contracts/memory.ts';
import { contentWords } from '../content-words.ts';
import { isKept } from '../layers.ts';
import { isCommonWord, isQuestionWord, wholeWord } from './common-words.ts';

/**
 * The hits that are close enough to a question to be shown in its answer as "from memory". Search
 * returns whatever shares a word; this asks whether the turn is about the same thing:
 *
 * - all of the question's one or two telling words, or three of five of more, are in the turn's own
 *   text. Words that any question may hold ("file", "use", "happen") count less: they cannot make
 *   a turn relevant, unless the question has no others, and then all must be there;
 * - the turn says something: words of an answer that the new question already holds would only be
 *   repeated;
 * - it is not clearly behind the best of the hits.
 *
 * @returns a part of `hits`, in their order, and with each the share of the question's words that it
 *   holds, 1 with all telling ones
 */
export function ratedTurns(
  hits: readonly MemoryHit[],
  question: string,
): { hit: MemoryHit; share: number }[] {
  const asked = wordsOf(question);
  const rated = hits
    .map((hit) => ({ hit, words: new Set(wordsOf(wholeText(hit))) }))
    // A kept fact is an answer even if the question holds all its words: "is the alarm on?"
    .filter(({ hit, words }) => isKept(hit) || [...words].some((word) => !asked.includes(word)))
    .map(({ hit, words }) => ({ hit, share: matchedShare(asked, words) }))
    .filter(({ share }) => share > 0);
  const best = Math.max(0, ...rated.map(({ share }) => share));
  return rated.filter(({ share }) => share >= minShareOfBest * best);
}

/** The share of the question's words that a hit holds, 0 to 1, however few they are. */
export function heldShare(hit: MemoryHit, question: string): number {
  const asked = wordsOf(question);
  return asked.length === 0 ? 0 : heldWeight(asked, new Set(wordsOf(wholeText(hit))));
}

/** @param stems as `wordsOf` gives them */
export function holdsAny(hit: MemoryHit, stems: readonly string[]): boolean {
  const own = new Set(wordsOf(wholeText(hit)));
  return stems.some((word) => own.has(word));
}

/** The stems of a text's words, each once; short forms as what they stand for. */
export function wordsOf(text: string): string[] {
  return [...new Set(contentWords(text).map(wholeWord))];
}

/** The text with the facts that it replaced: "no, they moved to Fridays" needs them. */
function wholeText({ text, replaced = [] }: MemoryHit): string {
  return [text, ...replaced.map((older) => older.text)].join('\n');
}

const minMatchedShare = 0.6;
const minShareOfBest = 0.75;
const commonWeight = 0.4;
// A shorter common beginning tells little: "form" and "format".
const minPrefixCharacters = 5;

/** @returns 0 when too few match, else up to 1 */
function matchedShare(asked: readonly string[], words: ReadonlySet<string>): number {
  const telling = asked.filter((word) => !isCommonWord(word));
  const isMatched = (word: string) => words.has(word) || hasRelative(word, words);
  const spoken = asked.filter((word) => !isQuestionWord(word));
  const common = spoken.length === 0 ? asked : spoken;
  const decisive = telling.length === 0 ? common : telling;
  const needed = telling.length === 0 ? common.length : Math.ceil(minMatchedShare * telling.length);
  if (needed === 0 || decisive.filter(isMatched).length < needed) return 0;
  // Words that any question may hold need not be in the hit.
  if (telling.length > 0 && telling.every(isMatched)) return 1;
  return heldWeight(asked, words);
}

function heldWeight(asked: readonly string[], words: ReadonlySet<string>): number {
  const weight = (some: readonly string[]) =>
    some.reduce((sum, word) => sum + (isCommonWord(word) ? commonWeight : 1), 0);
  const isHeld = (word: string) => words.has(word) || hasRelative(word, words);
  return weight(asked.filter(isHeld)) / weight(asked);
}

/** "deploy" and "deployment", "PR" and "PRs": one is the beginning of the other. */
function hasRelative(word: string, words: ReadonlySet<string>): boolean {
  return [...words].some((other) => {
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    if (short.length < minPrefixCharacters) return short.length > 1 && long === `${short}s`;
    return long.startsWith(short);
  });
}
