import type { PrunedStore, TalkQuota } from '../contracts/jobs.ts';
import type { Append } from './event-queries.ts';
import type { Database } from './open-database.ts';
import { removeContents } from './value-queries.ts';

const dayMs = 24 * 3_600_000;

/** How long the record of a run is kept; what was said in it stays in its session. */
const runAgeMs = 90 * dayMs;
const maxJobRuns = 1_000;

const defaultQuota: TalkQuota = { bytes: 256 * 1024 ** 2, days: 90 };
/** Replies of models are of no use after this. */
const replyAgeMs = dayMs;

/**
 * Deletes old records of runs that changed nothing or can no longer be undone, and all but the
 * newest lines of the log of jobs.
 *
 * @param nowMs ms since the Unix epoch
 */
export function pruneStore(
  database: Database,
  append: Append,
  nowMs: number,
  talk: TalkQuota = defaultQuota,
): PrunedStore {
  return database.transaction(() => {
    const old = 'started_ms < ? AND id NOT IN (SELECT run FROM file_changes WHERE run IS NOT NULL)';
    const beforeMs = nowMs - runAgeMs;
    database.run(
      `DELETE FROM lasting_effects WHERE run IN (SELECT id FROM runs WHERE ${old})`,
      beforeMs,
    );
    database.run('DELETE FROM recalled WHERE ts < ?', beforeMs);
    const outputs =
      database.run('DELETE FROM program_outputs WHERE ts < ?', beforeMs) +
      database.run('DELETE FROM payloads WHERE ts < ?', beforeMs);
    database.run('DELETE FROM talk WHERE ts < ?', nowMs - talk.days * dayMs);
    database.run(
      `DELETE FROM talk WHERE seq <= coalesce((SELECT seq FROM
         (SELECT seq, sum(length(part)) OVER (ORDER BY seq DESC) AS bytes FROM talk)
         WHERE bytes > ? ORDER BY seq DESC LIMIT 1), 0)`,
      talk.bytes,
    );
    database.run('DELETE FROM model_replies WHERE made_ms < ?', nowMs - replyAgeMs);
    const gone = database.all<{ id: string }>(`SELECT id FROM runs WHERE ${old}`, beforeMs);
    const ids = gone.map(({ id }) => id);
    removeContents(database, append, { why: 'prune', runs: ids, ts: nowMs });
    const runs = database.run(`DELETE FROM runs WHERE ${old}`, beforeMs);
    const jobRuns = database.run(
      `DELETE FROM job_runs WHERE outcome <> 'running'
         AND seq <= (SELECT seq FROM job_runs ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
      maxJobRuns,
    );
    return { runs, jobRuns, outputs };
  });
}

/**
 * Gives the records of a workspace another path: runs with what they changed, sessions, values of
 * plugins and memory. Pieces of files stay where they are; they are read again. Rows of memory
 * wait for their table once more, which still has the old path.
 */
export function moveProject(database: Database, from: string, to: string): void {
  const withPath = (column: string): string => `json_set(${column}, '$.project', ?)`;
  const ofOld = (column: string): string => `json_extract(${column}, '$.project') = ?`;
  database.transaction(() => {
    for (const table of ['runs', 'sessions', 'plugin_values'])
      database.run(`UPDATE OR IGNORE ${table} SET project = ? WHERE project = ?`, to, from);
    database.run(
      `UPDATE memory_wal SET record = ${withPath('record')} WHERE ${ofOld('record')}`,
      to,
      from,
    );
    database.run(
      `UPDATE memory_changes SET before = ${withPath('before')} WHERE ${ofOld('before')}`,
      to,
      from,
    );
    database.run(
      `UPDATE memory_rows SET project = ?, record = ${withPath('record')} WHERE project = ?`,
      to,
      to,
      from,
    );
    database.run(
      `INSERT OR IGNORE INTO memory_wal (id, record)
         SELECT id, record FROM memory_rows WHERE project = ? ORDER BY ts`,
      to,
    );
    database.run(
      'UPDATE OR IGNORE settings SET key = ? WHERE key = ?',
      `project-rules:${to}`,
      `project-rules:${from}`,
    );
  });
}
