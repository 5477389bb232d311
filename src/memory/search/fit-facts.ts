import type { MemoryHit } from '../../contracts/memory.ts';
import { isKept } from '../kinds.ts';
import { askedFor, tells } from './asked-for.ts';

/** Factor of a fact without the time or number that is asked for. */
const unfit = 0.7;

/**
 * Facts that hold what is asked for, before those that do not: "when do we ship?" is answered by a
 * sentence with a time in it.
 *
 * @param hits best first
 */
export function fitFacts(hits: readonly MemoryHit[], question: string): MemoryHit[] {
  const wanted = askedFor(question);
  if (wanted === undefined) return [...hits];
  const fitted = hits.map((hit): MemoryHit => {
    if (!isKept(hit)) return hit;
    const texts = [hit.text, ...(hit.replaced ?? []).map(({ text }) => text)];
    const fit = texts.some((text) => tells(wanted, text)) ? 1 : unfit;
    const { likeness } = hit.factors;
    const near = likeness === undefined ? {} : { likeness: likeness * fit };
    return { ...hit, score: hit.score * fit, factors: { ...hit.factors, ...near, fit } };
  });
  // of equals the order stays
  return fitted.sort((one, other) => other.score - one.score);
}
