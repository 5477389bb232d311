import BetterSqlite3 from 'better-sqlite3';
import type { Metrics, MetricsBook } from '../contracts/jobs.ts';
import type { Store } from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { type Database, insertRow, openCopy } from './open-database.ts';

/** Small JSON values by name. */
export function settingQueries(database: Database): Pick<Store, 'getSetting' | 'setSetting'> {
  return {
    getSetting: (key) => {
      const row = database.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key);
      return row === undefined ? undefined : (JSON.parse(row.value) as JsonObject);
    },
    setSetting: (key, value) => {
      database.run(
        'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        key,
        JSON.stringify(value),
      );
    },
  };
}

/**
 * A setting of a store that is only looked at: nothing is created, locked or brought up to date.
 *
 * @throws where there is no store, or none that can be read
 */
export function readSetting(path: string, key: string): JsonObject | undefined {
  try {
    // A connection that may only read leaves the files beside the store that it needs.
    return readFrom(new BetterSqlite3(path, { fileMustExist: true }), key);
  } catch {
    return readFrom(openCopy(path), key);
  }
}

function readFrom(connection: BetterSqlite3.Database, key: string): JsonObject | undefined {
  try {
    connection.pragma('query_only = ON');
    const row = connection.prepare('SELECT value FROM settings WHERE key = ?').get(key) as
      | { value: string }
      | undefined;
    return row === undefined ? undefined : (JSON.parse(row.value) as JsonObject);
  } finally {
    connection.close();
  }
}

const dayMs = 24 * 3_600_000;
/** How long snapshots are kept; 90 days of one an hour are some 600 kB. */
const maxAgeMs = 90 * dayMs;

/** Snapshots of the content of the home and of the work done. */
export function metricQueries(database: Database): MetricsBook {
  const count = (sql: string, ...values: number[]): number => database.number(sql, ...values);
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
