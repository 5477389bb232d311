import type { MemoryLayer } from '../contracts/memory.ts';
import type { MemoryUses } from '../contracts/memory-uses.ts';
import { insertRow } from './insert-row.ts';
import type { Database } from './open-database.ts';

type UseRow = { id: string; layer: MemoryLayer; uses: number; score: number; scoredMs: number };

/** How often answers drew on rows of memory. */
export function useQueries(database: Database): MemoryUses {
  return {
    count: (rows, nowMs, run) => {
      database.transaction(() => {
        for (const { id, layer, score = 0 } of rows) {
          if (run !== undefined) {
            const row = { run, id, layer, score, ts: nowMs };
            insertRow(database, 'recalled', row, 'INSERT OR REPLACE');
          }
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
    recalledBy: (run) =>
      database.all<{ id: string; layer: MemoryLayer; score: number }>(
        'SELECT id, layer, score FROM recalled WHERE run = ? ORDER BY score DESC, id',
        run,
      ),
    runsThatRecalled: (id) =>
      database
        .all<{ run: string }>('SELECT run FROM recalled WHERE id = ? ORDER BY ts DESC, run', id)
        .map(({ run }) => run),
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
        for (const id of ids) {
          database.run('DELETE FROM memory_uses WHERE id = ?', id);
          database.run('DELETE FROM recalled WHERE id = ?', id);
        }
      });
    },
  };
}
