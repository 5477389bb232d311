import type { PrunedStore } from '../contracts/jobs.ts';
import type { Database } from './open-database.ts';

const dayMs = 24 * 3_600_000;

/** How long the record of a run is kept; what was said in it stays in its session. */
const runAgeMs = 90 * dayMs;
const maxJobRuns = 1_000;

/**
 * Deletes old records of runs that changed nothing or can no longer be undone, and all but the
 * newest lines of the log of jobs.
 *
 * @param nowMs ms since the Unix epoch
 */
export function pruneStore(database: Database, nowMs: number): PrunedStore {
  return database.transaction(() => {
    const old = 'started_ms < ? AND id NOT IN (SELECT run FROM file_changes WHERE run IS NOT NULL)';
    const beforeMs = nowMs - runAgeMs;
    database.run(
      `DELETE FROM lasting_effects WHERE run IN (SELECT id FROM runs WHERE ${old})`,
      beforeMs,
    );
    database.run('DELETE FROM recalled WHERE ts < ?', beforeMs);
    // Their blobs then belong to no run, and are deleted first.
    database.run('DELETE FROM program_outputs WHERE ts < ?', beforeMs);
    const runs = database.run(`DELETE FROM runs WHERE ${old}`, beforeMs);
    const jobRuns = database.run(
      `DELETE FROM job_runs WHERE outcome <> 'running'
         AND seq <= (SELECT seq FROM job_runs ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
      maxJobRuns,
    );
    return { runs, jobRuns };
  });
}
