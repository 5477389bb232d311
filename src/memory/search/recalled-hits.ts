import type { MemoryHit } from '../../contracts/memory.ts';
import { isKept } from '../kinds.ts';
import { heldShare, onlyAsks, ratedTurns } from './rated-turns.ts';

/** The memories that an answer shows: those surely about the question, and those perhaps. */
export type Recalled = { sure: MemoryHit[]; perhaps: MemoryHit[] };

/** Of `likeness`, see `MemoryFactors`. */
const sureLikeness = 1;
const perhapsLikeness = 0.5;
/** The weight of shared words against a hit, compared with its cosine. */
const wordsCost = 3;
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
 * alone is alike, so the share of words takes away from the likeness, unless nearly all are held.
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
  const rated = hits.map((hit) => {
    const share = byWords.get(hit) ?? 0;
    const worded = share >= sureShare ? sureLikeness : share >= perhapsShare ? perhapsLikeness : 0;
    return { hit, trust: Math.max(worded, meantTrust(hit, question, nearest)) };
  });
  const shown = rated
    .filter(({ trust }) => trust >= perhapsLikeness)
    .sort((one, other) => Math.min(1, other.trust) - Math.min(1, one.trust))
    .slice(0, limit);
  const pick = (isSure: boolean) =>
    shown.filter(({ trust }) => trust >= sureLikeness === isSure).map(({ hit }) => hit);
  return { sure: pick(true), perhaps: pick(false) };
}

/** How near a fact is by what it means. Turns are found by their words. */
function meantTrust(hit: MemoryHit, question: string, nearest: number): number {
  const likeness = fittedLikeness(hit);
  if (likeness === 0 || !isKept(hit) || onlyAsks(hit.text)) return 0;
  if (likeness < leastOfBest * nearest) return 0;
  return likeness - wordsCost * heldShare(hit, question);
}

/** A fact that holds the time or number that is asked for is a little more to be trusted. */
function fittedLikeness({ factors: { likeness = 0, fit } }: MemoryHit): number {
  return fit === 1 ? fitting * likeness : likeness;
}
