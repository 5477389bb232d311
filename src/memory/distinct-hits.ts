import type { MemoryHit, MemoryRecord } from '../contracts/memory.ts';
import type { Candidate, Ranked } from './rank-candidates.ts';

/** A hit with all that its row holds. */
export type DistinctHit = { hit: MemoryHit; record: MemoryRecord };

/**
 * The best as hits. Only as many records are read as are shown; of two with the same words in the
 * same project and of the same kind, as a turn and the insight that was made of it, the better is
 * shown.
 *
 * @param ranked best first
 * @param read records by id; one that is missing was taken away meanwhile
 */
export async function distinctHits<Found extends Candidate>(
  ranked: readonly Ranked<Found>[],
  limit: number,
  read: (rows: readonly Found[]) => Promise<ReadonlyMap<string, MemoryRecord>>,
): Promise<DistinctHit[]> {
  const hits: DistinctHit[] = [];
  const said = new Set<string>();
  for (let at = 0; at < ranked.length && hits.length < limit; at += limit) {
    const page = ranked.slice(at, at + limit);
    const records = await read(page);
    for (const { id, score, factors } of page) {
      const record = records.get(id);
      if (record === undefined) continue;
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
