import type { MemoryHit } from '../../contracts/memory.ts';
import { contentWords } from '../content-words.ts';
import { isKept } from '../kinds.ts';

/** Of the words of the shorter text. */
const sharedWords = 0.5;

/**
 * On one subject no question and no answer stands before the fact: the answer came from it, and the
 * question says nothing. A fact that stands behind such a hit takes its place and score, and those
 * between move down by one.
 *
 * @param hits best first
 */
export function factsFirst(hits: readonly MemoryHit[]): MemoryHit[] {
  const words = new Map(hits.map((hit) => [hit, new Set(contentWords(hit.text))]));
  const ordered = [...hits];
  for (const fact of hits.filter(isKept)) {
    const at = ordered.indexOf(fact);
    const before = ordered.findIndex(
      (hit, place) => place < at && isTalk(hit) && isAlike(words.get(hit), words.get(fact)),
    );
    if (before === -1) continue;
    ordered.splice(at, 1);
    ordered.splice(before, 0, fact);
  }
  return ordered.map((hit, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}

function isTalk({ kind }: MemoryHit): boolean {
  return kind === 'question' || kind === 'answer';
}

function isAlike(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()) {
  const least = Math.min(one.size, other.size);
  const shared = [...one].filter((word) => other.has(word)).length;
  return least > 0 && shared >= sharedWords * least;
}
