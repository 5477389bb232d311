import type { MemoryHit } from '../../contracts/memory.ts';
import { contentWords } from '../content-words.ts';
import { isKept } from '../kinds.ts';
import { raiseHits } from './raise-hits.ts';

/** Share of the shorter text's words. */
const sharedWords = 0.5;

/**
 * On one subject no question and no answer stands before the fact: the answer came from it, and the
 * question says nothing. A fact that stands behind such a hit takes its place and score, and those
 * between move down by one.
 *
 * @param hits best first
 */
export function factsFirst(hits: readonly MemoryHit[]): MemoryHit[] {
  const facts = hits.filter(isKept);
  if (facts.length === 0) return [...hits];
  const words = new Map(hits.map((hit) => [hit, new Set(contentWords(hit.text))]));
  return raiseHits(
    hits,
    facts,
    (fact, other) => isTalk(other) && isAlike(words.get(other), words.get(fact)),
  );
}

function isTalk({ kind }: MemoryHit): boolean {
  return kind === 'question' || kind === 'answer';
}

function isAlike(one: ReadonlySet<string> = new Set(), other: ReadonlySet<string> = new Set()) {
  const least = Math.min(one.size, other.size);
  const shared = [...one].filter((word) => other.has(word)).length;
  return least > 0 && shared >= sharedWords * least;
}
