import type { MemoryLayer } from '../contracts/memory.ts';
import type { MemorySource, MemorySources, MemoryUses } from '../contracts/memory-store.ts';
import { type Database, insertRow, present } from './open-database.ts';

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
      database.column<string>('SELECT run FROM recalled WHERE id = ? ORDER BY ts DESC, run', id),
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

const sourceColumns = `project, source, hash, bytes, changed_ms AS changedMs,
  forgotten_ms AS forgottenMs, nullif(indexed, 0) AS indexed`;

type SourceRow = Pick<MemorySource, 'project' | 'source' | 'hash' | 'bytes'> & {
  changedMs: number | null;
  forgottenMs: number | null;
  indexed: 1 | null;
};

export function sourceQueries(database: Database): MemorySources {
  return {
    get: (project, source) => {
      const row = database.get<SourceRow>(
        `SELECT ${sourceColumns} FROM memory_sources WHERE project = ? AND source = ?`,
        project,
        source,
      );
      return row === undefined ? undefined : fromRow(row);
    },
    all: (project) =>
      database
        .all<SourceRow>(
          `SELECT ${sourceColumns} FROM memory_sources WHERE project = ? ORDER BY source`,
          project,
        )
        .map(fromRow),
    put: (sources) => {
      database.transaction(() => {
        for (const entry of sources) {
          const { project, source, hash, bytes, isIndexed = false } = entry;
          const times = { changed_ms: entry.changedMs, forgotten_ms: entry.forgottenMs };
          const row = { project, source, hash, bytes, ...times, indexed: isIndexed };
          insertRow(database, 'memory_sources', row, 'INSERT OR REPLACE');
        }
      });
    },
    remove: (project, source) => {
      database.run('DELETE FROM memory_sources WHERE project = ? AND source = ?', project, source);
    },
    projects: () =>
      database.column<string>('SELECT DISTINCT project FROM memory_sources ORDER BY project'),
    indexedProjects: () =>
      database.column<string>(
        'SELECT DISTINCT project FROM memory_sources WHERE indexed = 1 ORDER BY project',
      ),
  };
}

function fromRow({ indexed, ...row }: SourceRow): MemorySource {
  return { ...present(row), ...(indexed === null ? {} : { isIndexed: true }) };
}
