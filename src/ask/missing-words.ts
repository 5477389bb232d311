import type { Likenesses } from '../contracts/embedder.ts';
import type { Evidence } from '../contracts/events.ts';
import type { Mentions } from '../contracts/intent.ts';
import { contentWords, stemWord } from '../lib/text/words.ts';

/** Pieces that an answer writes out; the rest is named by path and lines. */
export const shownPieces = 5;
/** A word is missing where nothing is as near to it. */
const near = 0.5;
/** Longer texts tell what happened. */
const longestQuestion = 400;

/** Words that one line names. */
const mostNamed = 8;

type LikenessesTo = (text: string, words: readonly string[]) => Likenesses | undefined;

/** `"bus", "leave" (in no passage)`, but for what is said to be left out already. */
export function inNoPassage(
  { text: question, own }: Pick<Mentions, 'text' | 'own'>,
  evidence: readonly Evidence[],
  leftOut: readonly string[],
  likenessesTo: LikenessesTo,
): string[] {
  const texts = evidence.slice(0, shownPieces).map(({ path, text }) => `${path}\n${text}`);
  const words = missingWords(question, texts, { likenessesTo, isEnglish: own === undefined });
  const unsaid = words.filter((word) => leftOut.every((each) => !each.includes(word)));
  return unsaid.length === 0 ? [] : [`${namedWords(unsaid)} (in no passage)`];
}

/**
 * `near "retry", "delay"; none has "computed"`: by which words passages were found, so that a person
 * sees which were not.
 *
 * @param leftOut what is said already
 */
export function nearWords(
  question: string,
  evidence: readonly Evidence[],
  leftOut: readonly string[],
): string {
  const words = isTold(question) ? [] : contentWords(question);
  const isHeld = evidence
    .slice(0, shownPieces)
    .map(({ path, text }) => holding(`${path}\n${text}`));
  const held = words.filter((word) => isHeld.some((holds) => holds(word)));
  if (held.length === 0) return 'near your words';
  const missing = words.filter(
    (word) => !held.includes(word) && leftOut.every((each) => !each.includes(word)),
  );
  const none = missing.length === 0 ? '' : `; none has ${namedWords(missing)}`;
  return `near ${namedWords(held)}${none}`;
}

/** For an error, behind what it says: by which words nothing was found. */
export function lookedFor(question: string): string {
  const words = isTold(question) ? [] : contentWords(question);
  return words.length === 0 ? '' : `; it was looked for by ${namedWords(words)}`;
}

/** `"retry", "delay"`; of many the first. */
function namedWords(words: readonly string[]): string {
  const named = words.slice(0, mostNamed).map((word) => `"${word}"`);
  return [...named, ...(words.length > mostNamed ? ['…'] : [])].join(', ');
}

/** It says what happened, and no passage has most of its words. */
function isTold(question: string): boolean {
  return question.length > longestQuestion || question.includes('\n');
}

/** Whether a text holds a word, in any form or as the beginning of another one. */
function holding(text: string): (word: string) => boolean {
  const known = contentWords(text);
  const stems = new Set(known.map(stemWord));
  return (word) =>
    stems.has(stemWord(word)) || (word.length > 3 && known.some((each) => each.startsWith(word)));
}

/**
 * Words of a question that no text holds, in any form or in a word of nearly the same meaning: where
 * these are half of them or more, since the texts are mostly about something else then, and names
 * and versions in any case.
 *
 * @param texts that are shown, each behind its path
 * @param isEnglish only there a capital within a sentence makes a name
 */
export function missingWords(
  question: string,
  texts: readonly string[],
  { likenessesTo, isEnglish }: { likenessesTo: LikenessesTo; isEnglish: boolean },
): string[] {
  if (isTold(question) || texts.length === 0) return [];
  // `how high is it?` asks for a height.
  const words = contentWords(question.replace(/\bhow \p{Ll}+(?= (?:is|are|was|were)\b)/giu, ' '));
  const nearest = likenessesTo(question, words)?.nearest;
  if (nearest === undefined) return [];
  const names = isEnglish ? namesIn(question) : [];
  // `3.3` is no word of a text.
  const versions = question.match(/(?<![\w.])\d+(?:\.\d+)+(?![\w.]*\w)/g) ?? [];
  const unheld = versions.filter((version) => !texts.some((text) => text.includes(version)));
  const held = texts.map((text) => {
    const holds = holding(text);
    const likeness = nearest(text);
    return words.map(
      (word, at) => holds(word) || (!names.includes(word) && (likeness[at] ?? 0) >= near),
    );
  });
  const missing = words.filter((_, at) => held.every((each) => each[at] !== true));
  const isFew = 2 * missing.length >= words.length;
  return [...(isFew ? missing : missing.filter((word) => names.includes(word))), ...unheld];
}

/** `Redis` within a sentence; `JSON` is no name of one thing. */
function namesIn(question: string): string[] {
  const inside = question.match(/(?<=\p{L}[^.?!:]*\s)\p{Lu}\p{Ll}[\p{L}\p{N}]*/gu) ?? [];
  return inside.map((word) => word.toLowerCase());
}
