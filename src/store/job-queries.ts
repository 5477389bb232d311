import type { JobBook, JobEnd, JobOutcome, JobRecord, JobRun } from '../contracts/jobs.ts';
import type { Append } from './event-queries.ts';
import { checkLimit, type Database, present } from './open-database.ts';

type JobRow = {
  name: string;
  since_ms: number;
  last_run_ms: number | null;
  last_outcome: JobOutcome | null;
  failures: number;
  stops: number;
  paused_ms: number | null;
  holder: string | null;
  lease_ms: number | null;
  lease_until: number | null;
};

const runColumns = `seq, job, why, outcome, started_ms AS startedMs, finished_ms AS finishedMs,
  summary, details`;

type RunRow = Omit<JobRun, 'finishedMs' | 'details'> & {
  finishedMs: number | null;
  details: string;
};

/** A job that never ran, as it would be written. */
const unseenRow = (name: string, nowMs: number): JobRow => ({
  name,
  since_ms: nowMs,
  last_run_ms: null,
  last_outcome: null,
  failures: 0,
  stops: 0,
  paused_ms: null,
  holder: null,
  lease_ms: null,
  lease_until: null,
});

/** Milliseconds that every process of the machine counts alike, whatever its clock is set to. */
function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/**
 * Records, leases and log of jobs.
 *
 * @param uptimeMs the machine's own time
 */
export function jobQueries(
  database: Database,
  append: Append,
  uptimeMs: () => number = machineMs,
): JobBook {
  const rowOf = (name: string): JobRow | undefined =>
    database.get<JobRow>('SELECT * FROM jobs WHERE name = ?', name);
  const runOf = (seq: number): JobRun | undefined => {
    const row = database.get<RunRow>(`SELECT ${runColumns} FROM job_runs WHERE seq = ?`, seq);
    return row === undefined ? undefined : toRun(row);
  };
  const see = (name: string, nowMs: number): void => {
    database.run('INSERT OR IGNORE INTO jobs (name, since_ms) VALUES (?, ?)', name, nowMs);
  };
  const known = (name: string, nowMs: number): JobRow => {
    const row = rowOf(name);
    if (row !== undefined) return row;
    if (database.unwritable !== undefined) return unseenRow(name, nowMs);
    see(name, nowMs);
    return rowOf(name) as JobRow; // made by the line above
  };
  const freeLease = (name: string, holder: string): void => {
    database.run(
      'UPDATE jobs SET holder = NULL, lease_ms = NULL, lease_until = NULL WHERE name = ? AND holder = ?',
      name,
      holder,
    );
  };
  /** Ends a line of the log, and updates the record of the job. */
  const endRun = (seq: number, holder: string, end: JobEnd): JobRun | undefined => {
    const { outcome, nowMs, summary, details } = end;
    database.run(
      `UPDATE job_runs SET outcome = ?, finished_ms = ?, summary = ?, details = ?
       WHERE seq = ? AND outcome = 'running'`,
      outcome,
      nowMs,
      summary,
      JSON.stringify(details),
      seq,
    );
    const run = runOf(seq);
    if (run === undefined) return undefined;
    const { job, why, startedMs } = run;
    const durationMs = Math.max(0, nowMs - startedMs);
    append([{ kind: 'job', ts: nowMs, body: { job, why, outcome, durationMs, summary } }]);
    const counted = outcome !== 'stopped' && outcome !== 'canceled';
    const failed = counted && outcome !== 'done';
    database.run(
      `UPDATE jobs SET last_run_ms = ?, last_outcome = ?,
         since_ms = iif(?, ?, since_ms),
         failures = iif(?, failures + 1, iif(?, 0, failures)),
         stops = iif(?, stops + 1, iif(?, 0, stops))
       WHERE name = ? AND holder = ?`,
      nowMs,
      outcome,
      counted ? 1 : 0,
      nowMs,
      failed ? 1 : 0,
      outcome === 'done' ? 1 : 0,
      outcome === 'stopped' ? 1 : 0,
      outcome === 'done' ? 1 : 0,
      run.job,
      holder,
    );
    if (!end.keepLease) freeLease(run.job, holder);
    return run;
  };

  return {
    records: (names, nowMs) => names.map((name) => toRecord(known(name, nowMs), uptimeMs())),
    reap: (nowMs) => {
      const expired = (): JobRow[] =>
        database
          .all<JobRow>('SELECT * FROM jobs WHERE holder IS NOT NULL')
          .filter((row) => !isHeld(row, uptimeMs()));
      if (expired().length === 0) return [];
      return database.transaction(() =>
        expired().flatMap((row) => {
          const holder = row.holder ?? '';
          const open = database.get<{ seq: number }>(
            "SELECT seq FROM job_runs WHERE job = ? AND holder = ? AND outcome = 'running'",
            row.name,
            holder,
          );
          if (open === undefined) {
            freeLease(row.name, holder);
            return [];
          }
          const summary = 'its process ended, or stood still, before the job did';
          return endRun(open.seq, holder, { outcome: 'died', nowMs, summary, details: [] }) ?? [];
        }),
      );
    },
    claim: ({ job, holder, leaseMs, nowMs, why }) =>
      database.transaction(() => {
        const row = known(job, nowMs);
        if (row.holder !== null) return undefined;
        const reason = why(toRecord(row, uptimeMs()));
        if (reason === undefined) return undefined;
        database.run(
          'UPDATE jobs SET holder = ?, lease_ms = ?, lease_until = ? WHERE name = ?',
          holder,
          leaseMs,
          uptimeMs() + leaseMs,
          job,
        );
        return database.get<{ seq: number }>(
          `INSERT INTO job_runs (job, holder, why, outcome, started_ms, summary, details)
           VALUES (?, ?, ?, 'running', ?, '', '[]') RETURNING seq`,
          job,
          holder,
          reason,
          nowMs,
        )?.seq;
      }),
    renew: (job, holder, leaseMs) =>
      database.run(
        'UPDATE jobs SET lease_ms = ?, lease_until = ? WHERE name = ? AND holder = ?',
        leaseMs,
        uptimeMs() + leaseMs,
        job,
        holder,
      ) === 1,
    finish: (seq, holder, end) => database.transaction(() => endRun(seq, holder, end)),
    release: freeLease,
    pause: (job, nowMs) => {
      database.run('UPDATE jobs SET paused_ms = ? WHERE name = ?', nowMs ?? null, job);
    },
    log: ({ job, limit }) =>
      database
        .all<RunRow>(
          `SELECT ${runColumns} FROM job_runs WHERE job = coalesce(?, job) ORDER BY seq DESC LIMIT ?`,
          job ?? null,
          checkLimit(limit),
        )
        .map(toRun),
  };
}

/**
 * A lease that ends later than it can last was taken before the machine was started again, when its
 * time was counted from another beginning.
 */
function isHeld({ holder, lease_ms, lease_until }: JobRow, uptimeMs: number): boolean {
  if (holder === null || lease_ms === null || lease_until === null) return false;
  const leftMs = lease_until - uptimeMs;
  return leftMs > 0 && leftMs <= lease_ms;
}

function toRecord(row: JobRow, uptimeMs: number): JobRecord {
  return {
    name: row.name,
    sinceMs: row.since_ms,
    ...(row.last_run_ms === null ? {} : { lastRunMs: row.last_run_ms }),
    ...(row.last_outcome === null ? {} : { lastOutcome: row.last_outcome }),
    failures: row.failures,
    stops: row.stops,
    ...(row.paused_ms === null ? {} : { pausedMs: row.paused_ms }),
    isRunning: isHeld(row, uptimeMs),
  };
}

function toRun({ details, ...row }: RunRow): JobRun {
  return { ...present(row), details: JSON.parse(details) as string[] };
}
