import type { MemoryHit, MemoryRecord, MemoryRow } from '../../contracts/memory.ts';
import type { Candidate, Ranked } from './rank-candidates.ts';

export type DistinctHit = { hit: MemoryHit; record: MemoryRecord };

/**
 * The best as hits. Only as many records are read as are shown; of two with the same words in the
 * same project and of the same kind, as a turn and the insight that was made of it, the better is
 * shown.
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
