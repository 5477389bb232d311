import type { MemoryHit } from '../../contracts/memory.ts';
import { contentWords } from '../content-words.ts';
import { isKept } from '../kinds.ts';
import { raiseHits } from './raise-hits.ts';

/** Share of the shorter text's words that a fact shares with talk about it, and with another fact. */
const sharedWithTalk = 0.5;
const sharedWithFact = 0.3;
/** A fact that is clearly worse stays behind an older one, however new it is. */
const leastOfOlder = 0.75;

/**
 * On one subject no question and no answer stands before the fact: the answer came from it, and the
 * question says nothing. Of two facts the newer one stands first: it may be what holds now. A fact
 * that stands behind such a hit takes its place and score, and those between move down by one.
 *
 * @param hits best first
 */
export function factsFirst(hits: readonly MemoryHit[]): MemoryHit[] {
  const facts = hits.filter(isKept);
  if (facts.length === 0) return [...hits];
  const words = new Map(hits.map((hit) => [hit, new Set(contentWords(hit.text))]));
  return raiseHits(hits, facts, (fact, other) => {
    const shared = sharedWords(words.get(other), words.get(fact));
    return isTalk(other)
      ? shared >= sharedWithTalk
      : isOlder(other, fact) && shared >= sharedWithFact;
  });
}

function isTalk({ kind }: MemoryHit): boolean {
  return kind === 'question' || kind === 'answer';
}

function isOlder(other: MemoryHit, fact: MemoryHit): boolean {
  return isKept(other) && other.ts < fact.ts && fact.score >= leastOfOlder * other.score;
}

/** As a share of the shorter one's, 0 to 1. */
function sharedWords(
  one: ReadonlySet<string> = new Set(),
  other: ReadonlySet<string> = new Set(),
): number {
  return one.intersection(other).size / Math.max(1, Math.min(one.size, other.size));
}
