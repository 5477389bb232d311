import type { MemorySource, MemorySources } from '../contracts/memory-sources.ts';
import { insertRow } from './insert-row.ts';
import type { Database } from './open-database.ts';

type SourceRow = {
  project: string;
  source: string;
  hash: string;
  bytes: number;
  changed_ms: number | null;
  forgotten_ms: number | null;
  indexed: number;
};

export function sourceQueries(database: Database): MemorySources {
  return {
    get: (project, source) => {
      const row = database.get<SourceRow>(
        'SELECT * FROM memory_sources WHERE project = ? AND source = ?',
        project,
        source,
      );
      return row === undefined ? undefined : fromRow(row);
    },
    all: (project) =>
      database
        .all<SourceRow>('SELECT * FROM memory_sources WHERE project = ? ORDER BY source', project)
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
      database
        .all<{ project: string }>('SELECT DISTINCT project FROM memory_sources ORDER BY project')
        .map(({ project }) => project),
    indexedProjects: () =>
      database
        .all<{ project: string }>(
          'SELECT DISTINCT project FROM memory_sources WHERE indexed = 1 ORDER BY project',
        )
        .map(({ project }) => project),
  };
}

function fromRow(row: SourceRow): MemorySource {
  const { project, source, hash, bytes, changed_ms, forgotten_ms, indexed } = row;
  return {
    project,
    source,
    hash,
    bytes,
    ...(changed_ms === null ? {} : { changedMs: changed_ms }),
    ...(forgotten_ms === null ? {} : { forgottenMs: forgotten_ms }),
    ...(indexed === 0 ? {} : { isIndexed: true }),
  };
}
