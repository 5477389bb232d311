import { nowWords, plainWords, smallWords } from '../../contracts/fact-words.ts';
import type { MemoryRow } from '../../contracts/memory.ts';
import { compareFacts } from './compare-facts.ts';
import { subjectOf } from './subject-of.ts';

/**
 * The facts that a person means by "what I said about …": one that says just this, else those whose
 * subject has all its words, else those that have them anywhere.
 *
 * @param wordingOf what a fact says, where it names its subject by a word like "it"
 */
export function factsAbout(
  about: string,
  facts: readonly MemoryRow[],
  wordingOf: (row: MemoryRow) => string,
): MemoryRow[] {
  const said = { text: about, kind: 'fact', isChange: false };
  const same = facts.filter(
    (row) => compareFacts(said, { text: wordingOf(row), kind: 'fact' }) === 'repeats',
  );
  if (same.length > 0) return same.slice(0, 1);
  const wanted = wordsOf(about);
  if (wanted.size === 0) return [];
  const holding = (words: (row: MemoryRow) => string) =>
    facts.filter((row) => wanted.isSubsetOf(wordsOf(words(row))));
  const bySubject = holding((row) => subjectOf(wordingOf(row)));
  return bySubject.length > 0 ? bySubject : holding(wordingOf);
}

function wordsOf(text: string): Set<string> {
  const words = plainWords(text).filter((word) => !smallWords.has(word) && !nowWords.has(word));
  return new Set(words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)));
}
