import type { MemoryHit, MemoryRecord, MemoryRow } from '../../contracts/memory.ts';
import { contentWords } from '../content-words.ts';
import { isKept } from '../layers.ts';
import { askedFor, tells } from './asked-for.ts';
import type { Candidate, Ranked } from './rank-candidates.ts';

export type DistinctHit = { hit: MemoryHit; record: MemoryRecord };

/**
 * The best as hits. Reads only the records that are shown. Of two records with the same words,
 * project and kind, as a turn and the insight made from it, the better one is shown.
 *
 * @param ranked best first
 * @param read rows by the ids of their candidates; one that is missing was taken away meanwhile
 */
export async function distinctHits<Found extends Candidate>(
  ranked: readonly Ranked<Found>[],
  limit: number,
  read: (rows: readonly Found[]) => Promise<ReadonlyMap<string, MemoryRow>>,
): Promise<DistinctHit[]> {
  const hits: DistinctHit[] = [];
  const said = new Set<string>();
  for (let at = 0; at < ranked.length && hits.length < limit; at += limit) {
    const page = ranked.slice(at, at + limit);
    const rows = await read(page);
    for (const { id: candidate, score, factors } of page) {
      const row = rows.get(candidate);
      if (row === undefined) continue;
      const { id, record } = row;
      const { project, kind, source, text } = record;
      const words = JSON.stringify([project, kind, source, text]);
      if (said.has(words)) continue;
      said.add(words);
      const { context: _indexed, ...shown } = record;
      hits.push({ hit: { id, score, ...shown, factors }, record });
    }
  }
  return hits.slice(0, limit);
}

/**
 * A fact and a turn, or two facts, are on one subject if they share this part of the shorter text's
 * words.
 */
const sharedWithTalk = 0.5;
const sharedWithFact = 0.3;
/** A fact that is clearly worse stays behind an older one, however new it is. */
const leastOfOlder = 0.75;

/**
 * Puts a fact before questions and answers on its subject: the answer came from the fact, and the
 * question tells nothing. Puts the newer of two facts first, as it may be the valid one. A fact
 * that rises takes the place and score of the hit that it passes; the hits between move down by
 * one.
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

/** Factor of a fact without the time or number that is asked for. */
const unfit = 0.7;

/**
 * Puts facts with the kind of answer that is asked for first: "when do we ship?" needs a sentence
 * with a time.
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

/**
 * Moves rising hits up. Each takes the place and score of the first hit that it passes; the hits
 * between move down by one, so that scores keep falling.
 *
 * @param hits best first
 * @param rising some of them, in their order
 */
function raiseHits(
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
