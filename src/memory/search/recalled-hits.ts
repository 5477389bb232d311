import type { MemoryHit, Recalled } from '../../contracts/memory.ts';
import {
  contentWords,
  isCommonWord,
  isForeign,
  isQuestionWord,
  wholeWord,
} from '../content-words.ts';
import { isKept } from '../layers.ts';
import { tells } from './order-hits.ts';

/** On the scale of `likeness`, see `MemoryFactors`. */
const sureLikeness = 1;
const perhapsLikeness = 0.5;
/** The weight of shared words against a hit, compared with its cosine. */
const wordsCost = 3;
/**
 * The same weight for a fact about the person or thing that the question names; it costs less,
 * since such a fact needs to say only a little more.
 */
const namedCost = 0.8;
/** The limit for such a fact: that it is about Marta does not make it an answer. */
const mostNamed = 0.9;
/** Hits below this share of the nearest hit's score are left out: they answer no better. */
const leastOfBest = 0.6;
/** Factor for a fact with a time or number, if the question asks for one. */
const fitting = 1.1;
/** Nearly all words of the question, common ones left aside. */
const sureShare = 0.95;
/** Other subjects share two words of three too: who cleans, who repairs. */
const perhapsShare = 0.7;

/**
 * The hits of a search that an answer shows, by the scores of that search. Shared words are taken
 * off a fact's likeness, because "how old is Marta?" and "Marta has a dog" are alike only by the
 * name; a fact with nearly all words of the question keeps it. Less is taken off where the question
 * names somebody; then only facts with that name are shown.
 *
 * @param hits best first
 * @param limit of both together
 */
export function recalledHits(
  hits: readonly MemoryHit[],
  question: string,
  limit: number,
): Recalled {
  const byWords = new Map(ratedTurns(hits, question).map(({ hit, share }) => [hit, share]));
  const nearest = Math.max(0, ...hits.map(fittedLikeness));
  const names = namesOf(question, hits);
  const first = hits.find(isKept);
  const rated = hits.map((hit) => {
    const share = byWords.get(hit) ?? 0;
    const isSure = share >= sureShare && holdsMore(hit, question);
    const worded = isSure ? sureLikeness : share >= perhapsShare ? perhapsLikeness : 0;
    const trust = Math.max(worded, meantTrust(hit, { question, names, nearest }));
    const isFirst = hit === first && isNear(hit, question, names);
    return { hit, trust: isFirst ? Math.max(trust, perhapsLikeness) : trust };
  });
  const shown = rated
    .filter(({ trust }) => trust >= perhapsLikeness)
    .sort((one, other) => Math.min(1, other.trust) - Math.min(1, one.trust))
    .slice(0, limit);
  return {
    sure: shown.filter(({ trust }) => trust >= sureLikeness).map(({ hit }) => hit),
    perhaps: shown.filter(({ trust }) => trust < sureLikeness).map(({ hit }) => hit),
  };
}

/**
 * Whether a hit shares more with the question than names: "Helga presents the numbers" does not
 * tell where she lives. Always true for other languages: they write other words with a capital too,
 * or ask with words that count already.
 */
function holdsMore(hit: MemoryHit, question: string): boolean {
  if (isForeign(question)) return true;
  const names = new Set([...capitalsOf(question), ...capitalsOf(`, ${hit.text}`)]);
  return holdsAny(
    hit,
    wordsOf(question).filter((word) => !names.has(word) && !isQuestionWord(word)),
  );
}

/** Whether the first fact of a search is not far off, whatever words it shares with the question. */
function isNear(hit: MemoryHit, question: string, names: readonly string[]): boolean {
  const isRead = hit.factors.meaning !== undefined || !isForeign(question);
  const isNamed = names.length === 0 || holdsAny(hit, names);
  return isRead && isNamed && fittedLikeness(hit) >= perhapsLikeness;
}

/** How far the likeness alone makes a fact an answer; 0 for turns, which are found by words. */
function meantTrust(
  hit: MemoryHit,
  { question, names, nearest }: { question: string; names: readonly string[]; nearest: number },
): number {
  const likeness = fittedLikeness(hit);
  if (likeness === 0 || !isKept(hit)) return 0;
  if (likeness < leastOfBest * nearest) return 0;
  const held = heldShare(hit, question);
  // Vectors of single words cannot compare other languages.
  const isRead = hit.factors.meaning !== undefined || !isForeign(question);
  if (names.length === 0) return isRead ? likeness - wordsCost * held : 0;
  return holdsAny(hit, names) ? Math.min(mostNamed, likeness - namedCost * held) : 0;
}

/** A fact that holds the time or number that is asked for is a little more to be trusted. */
function fittedLikeness({ factors: { likeness = 0, fit } }: MemoryHit): number {
  return fit === 1 ? fitting * likeness : likeness;
}

/**
 * The names in a question: words that have a capital inside of a sentence, there or in a hit,
 * without times. German nouns count too, which does no harm. In a question in another language than
 * English all telling words count, as embedders mostly read English.
 *
 * @returns their stems, only the ones that some hit holds
 */
function namesOf(question: string, hits: readonly MemoryHit[]): string[] {
  const asked = wordsOf(question).filter((word) => !isCommonWord(word));
  const named = new Set(
    isForeign(question) ? asked : [question, ...hits.map(({ text }) => text)].flatMap(capitalsOf),
  );
  return asked.filter((word) => named.has(word) && hits.some((hit) => holdsAny(hit, [word])));
}

/** Stems of the words that begin with a capital, without the first of each sentence. */
function capitalsOf(text: string): string[] {
  const words = text.match(/(?<=[\p{L}\p{N},;)]['"’)]?\s+)\p{Lu}[\p{L}\p{N}-]*/gu) ?? [];
  return words.filter((word) => !tells('time', word)).flatMap(wordsOf);
}

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
function heldShare(hit: MemoryHit, question: string): number {
  const asked = wordsOf(question);
  return asked.length === 0 ? 0 : heldWeight(asked, new Set(wordsOf(wholeText(hit))));
}

/** @param stems as `wordsOf` gives them */
function holdsAny(hit: MemoryHit, stems: readonly string[]): boolean {
  const own = new Set(wordsOf(wholeText(hit)));
  return stems.some((word) => own.has(word));
}

/** The stems of a text's words, each once; short forms as what they stand for. */
function wordsOf(text: string): string[] {
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
