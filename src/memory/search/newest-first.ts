import { nowWords, plainWords } from '../../contracts/fact-words.ts';
import type { MemoryHit } from '../../contracts/memory.ts';
import { isPlainChange, subjectOf } from '../facts/subject-of.ts';
import { areOfOneForm } from '../facts/tell-apart.ts';
import { isKept } from '../kinds.ts';
import { raiseHits } from './raise-hits.ts';

/** A fact that is clearly worse stays behind, however new it is. */
const leastOfOlder = 0.75;

/**
 * Of facts on one subject, of which none is known to replace another, one that tells a change or
 * says another thing in the same form before older ones: it may be what holds now. It takes the place
 * and score of the first of them.
 *
 * @param hits best first
 */
export function newestFirst(hits: readonly MemoryHit[]): MemoryHit[] {
  const subjects = new Map(
    hits.filter(isKept).map((hit) => [hit, new Set(subjectOf(hit.text).split(' '))]),
  );
  return raiseHits(
    hits,
    [...subjects.keys()],
    (newer, older) =>
      older.ts < newer.ts &&
      newer.score >= leastOfOlder * older.score &&
      isOneSubject(subjects.get(older), subjects.get(newer)) &&
      (tellsChange(newer.text) || areOfOneForm(newer.text, older.text)),
  );
}

function tellsChange(text: string): boolean {
  return isPlainChange(text) || plainWords(text).some((word) => nowWords.has(word));
}

function isOneSubject(
  one: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
): boolean {
  if (one === undefined || other === undefined || one.has('') || other.has('')) return false;
  return one.isSubsetOf(other) || other.isSubsetOf(one);
}
