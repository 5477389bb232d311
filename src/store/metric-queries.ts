import type { Metrics, MetricsBook } from '../contracts/metrics.ts';
import type { Database } from './open-database.ts';
import { insertRow } from './open-database.ts';

const dayMs = 24 * 3_600_000;
/** How long snapshots are kept; 90 days of one an hour are some 600 kB. */
const maxAgeMs = 90 * dayMs;

/** Snapshots of the content of the home and of the work done. */
export function metricQueries(database: Database): MetricsBook {
  const count = (sql: string, ...values: number[]): number =>
    database.get<{ n: number }>(sql, ...values)?.n ?? 0;
  return {
    add: (metrics) => {
      database.transaction(() => {
        insertRow(database, 'metrics', { ts: metrics.ts, value: JSON.stringify(metrics) });
        database.run('DELETE FROM metrics WHERE ts < ?', metrics.ts - maxAgeMs);
      });
    },
    latest: (limit) =>
      database
        .all<{ value: string }>('SELECT value FROM metrics ORDER BY seq DESC LIMIT ?', limit)
        .map(({ value }) => JSON.parse(value) as Metrics),
    runsSince: (sinceMs) => ({
      done: count('SELECT count(*) AS n FROM runs WHERE started_ms >= ?', sinceMs),
      failed: count(
        "SELECT count(*) AS n FROM runs WHERE started_ms >= ? AND status NOT IN ('ok', 'running')",
        sinceMs,
      ),
    }),
    pages: () =>
      count('SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()'),
  };
}
