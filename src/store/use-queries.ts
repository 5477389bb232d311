import type { MemoryLayer } from '../contracts/memory.ts';
import type { MemoryUses } from '../contracts/memory-uses.ts';
import type { Database } from './open-database.ts';

type UseRow = { id: string; layer: MemoryLayer; uses: number; score: number; scoredMs: number };

/** How often answers drew on rows of memory. */
export function useQueries(database: Database): MemoryUses {
  return {
    count: (rows, nowMs) => {
      database.transaction(() => {
        for (const { id, layer } of rows) {
          database.run(
            `INSERT INTO memory_uses (id, layer, uses, score, scored_ms) VALUES (?, ?, 1, 1, ?)
             ON CONFLICT (id) DO UPDATE SET uses = uses + 1, score = score + 1`,
            id,
            layer,
            nowMs,
          );
        }
      });
    },
    all: () =>
      database.all<UseRow>(
        'SELECT id, layer, uses, score, scored_ms AS scoredMs FROM memory_uses ORDER BY id',
      ),
    keepScores: (scores, nowMs) => {
      database.transaction(() => {
        for (const { id, score } of scores) {
          database.run(
            'UPDATE memory_uses SET score = ?, scored_ms = ? WHERE id = ?',
            score,
            nowMs,
            id,
          );
        }
      });
    },
    remove: (ids) => {
      database.transaction(() => {
        for (const id of ids) database.run('DELETE FROM memory_uses WHERE id = ?', id);
      });
    },
  };
}
