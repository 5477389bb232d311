import type { MemoryHit, Recalled } from '../../contracts/memory.ts';
import { isKept } from '../layers.ts';
import { tells } from './asked-for.ts';
import { isCommonWord, isForeign, isQuestionWord } from './common-words.ts';
import { heldShare, holdsAny, ratedTurns, wordsOf } from './rated-turns.ts';

/** On the scale of `likeness`, see `MemoryFactors`. */
const sureLikeness = 1;
const perhapsLikeness = 0.5;
/** The weight of shared words against a hit, compared with its cosine. */
const wordsCost = 3;
/** The same for a fact about who or what the question names: it only has to say a little of it. */
const namedCost = 0.8;
/** The most that such a fact gets beyond its words: to be about Marta is no answer. */
const mostNamed = 0.9;
/** Share of the nearest hit's score: weaker hits answer no better, even if the nearest does not. */
const leastOfBest = 0.6;
/** The likeness of a fact with a time or number where one is asked for. */
const fitting = 1.1;
/** Nearly all words of the question, common ones left aside. */
const sureShare = 0.95;
/** Other subjects share two words of three too: who cleans, who repairs. */
const perhapsShare = 0.7;

/**
 * The hits of a search that an answer shows, by the scores of that search. A fact is near a question
 * by what it means beyond the words they share: of "how old is Marta?" and "Marta has a dog" the name
 * alone is alike, so the share of words takes away from the likeness, unless nearly all are held. It
 * takes less where the question names somebody: then no fact is shown that does not.
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
  const pick = (isSure: boolean) =>
    shown.filter(({ trust }) => trust >= sureLikeness === isSure).map(({ hit }) => hit);
  return { sure: pick(true), perhaps: pick(false) };
}

/**
 * Whether a hit holds more of the question than names: that Helga presents the numbers does not tell
 * where she lives. Other languages write all things so, or ask with words that count already.
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

/** How near a fact is by what it means. Turns are found by their words. */
function meantTrust(
  hit: MemoryHit,
  { question, names, nearest }: { question: string; names: readonly string[]; nearest: number },
): number {
  const likeness = fittedLikeness(hit);
  if (likeness === 0 || !isKept(hit)) return 0;
  if (likeness < leastOfBest * nearest) return 0;
  const held = heldShare(hit, question);
  // vectors of words tell nothing of other languages
  const isRead = hit.factors.meaning !== undefined || !isForeign(question);
  if (names.length === 0) return isRead ? likeness - wordsCost * held : 0;
  return holdsAny(hit, names) ? Math.min(mostNamed, likeness - namedCost * held) : 0;
}

/** A fact that holds the time or number that is asked for is a little more to be trusted. */
function fittedLikeness({ factors: { likeness = 0, fit } }: MemoryHit): number {
  return fit === 1 ? fitting * likeness : likeness;
}

/**
 * What a question is plainly about: words with a capital inside of a sentence, in the question or in
 * what was found, times left aside. German names all things so, which is as well. Of a question in
 * another language than English all telling words are, as embedders mostly read English.
 *
 * @returns stems, of those that a hit holds
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
