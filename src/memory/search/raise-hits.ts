import type { MemoryHit } from '../../contracts/memory.ts';

/**
 * Moves some hits up to the first that they pass. Each takes the place and score of that one, and those
 * between move down by one, so that scores keep falling.
 *
 * @param hits best first
 * @param rising some of them, in their order
 */
export function raiseHits(
  hits: readonly MemoryHit[],
  rising: readonly MemoryHit[],
  passes: (riser: MemoryHit, other: MemoryHit) => boolean,
): MemoryHit[] {
  const ordered = [...hits];
  for (const riser of rising) {
    const at = ordered.indexOf(riser);
    const before = ordered.findIndex((other, place) => place < at && passes(riser, other));
    if (before === -1) continue;
    ordered.splice(at, 1);
    ordered.splice(before, 0, riser);
  }
  return ordered.map((hit, place) => ({ ...hit, score: hits[place]?.score ?? hit.score }));
}
