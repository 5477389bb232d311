import type { MemoryEmbedder, MemoryLayer, MemoryRecord } from '../../contracts/memory.ts';
import { isKept } from '../kinds.ts';
import { vectorText } from '../vector-text.ts';
import { cosineOf } from './cosine-of.ts';

/** With a smaller share, one order would mix two scales. */
const leastShare = 0.5;

/**
 * The sentence model's cosines of turns that other arms found, by vectors of earlier commands: only
 * the question's vector is made here. Facts have an arm of their own, and pieces of files gain
 * nothing.
 *
 * @param found candidates with their records
 * @returns cosines by the ids of the candidates; empty when most vectors are not made yet
 */
export async function turnMeanings(
  use: MemoryEmbedder,
  found: readonly { id: string; layer: MemoryLayer; record: MemoryRecord }[],
  options: { asked: string; signal: AbortSignal },
): Promise<Map<string, number>> {
  const turns = found.filter(({ layer, record }) => layer !== 'assets' && !isKept(record));
  const vectors = use.kept?.(turns.map(({ record }) => vectorText(record))) ?? [];
  const there = vectors.filter((vector) => vector !== undefined).length;
  if (there === 0 || there < leastShare * turns.length) return new Map();
  const { asked, signal } = options;
  const [question] = await use.embed([asked], { signal, isQuery: true });
  return new Map(
    turns.flatMap(({ id }, at): [string, number][] => {
      const cosine = cosineOf(question, vectors[at]);
      return cosine === undefined ? [] : [[id, cosine]];
    }),
  );
}
