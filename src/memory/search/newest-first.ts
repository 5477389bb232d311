import type { MemoryHit } from '../../contracts/memory.ts';
import { subjectOf } from '../facts/compare-facts.ts';
import { isKept } from '../kinds.ts';

/** A fact that is clearly worse stays behind, however new it is. */
const leastOfOlder = 0.75;

/**
 * Of facts on one subject, of which none is known to replace another, the newer before the older:
 * it may be what holds now. A fact that moves up takes the place and score of the older one.
 *
 * @param hits best first
 */
export function newestFirst(hits: readonly MemoryHit[]): MemoryHit[] {
  const subjects = new Map(
    hits.filter(isKept).map((hit) => [hit, new Set(subjectOf(hit.text).split(' '))]),
  );
  const ordered = [...hits];
  for (const newer of subjects.keys()) {
    const at = ordered.indexOf(newer);
    const before = ordered.findIndex(
      (older, place) =>
        place < at &&
        older.ts < newer.ts &&
        newer.score >= leastOfOlder * older.score &&
        isOneSubject(subjects.get(older), subjects.get(newer)),
    );
    if (before === -1) continue;
    ordered.splice(at, 1);
    ordered.splice(before, 0, newer);
  }
  return ordered.map((hit, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}

function isOneSubject(
  one: ReadonlySet<string> | undefined,
  other: ReadonlySet<string> | undefined,
): boolean {
  if (one === undefined || other === undefined || one.has('') || other.has('')) return false;
  return one.isSubsetOf(other) || other.isSubsetOf(one);
}
