import { KernelError } from '../contracts/error.ts';
import type {
  DayUsage,
  GuardRow,
  HostCallRow,
  RunRow,
  StepRow,
  Store,
} from '../contracts/store.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { processHolder } from '../lib/files/lock-file.ts';
import type { Append } from './event-queries.ts';
import { type Database, insertRow, present } from './open-database.ts';

type RunMethods =
  | 'startRun'
  | 'finishRun'
  | 'run'
  | 'leftOpen'
  | 'unfinishedRuns'
  | 'addStep'
  | 'steps'
  | 'addHostCalls'
  | 'hostCalls'
  | 'addGuardRow'
  | 'guardRows'
  | 'hasRun';

/** @param nowMs ms since the Unix epoch, for steps */
export function runQueries(
  database: Database,
  append: Append,
  nowMs: () => number,
): Pick<Store, RunMethods> {
  const holder = processHolder();
  return {
    startRun: (run) => {
      const { id, session, command, question, project, model, status } = run;
      insertRow(database, 'runs', {
        ...{ id, session, command, question, project, model, status, holder },
        ...{ started_ms: run.startedMs, finished_ms: run.finishedMs },
      });
    },
    finishRun: (id, status, finishedMs) => {
      const changed = database.run(
        'UPDATE runs SET status = ?, finished_ms = ? WHERE id = ?',
        status,
        finishedMs,
        id,
      );
      if (changed === 0) throw new KernelError('not-found', `run "${id}" is not in the store`);
    },
    run: (id) => {
      const row = database.get<Nullable<RunRow, 'session' | 'finishedMs'>>(
        `SELECT id, session, command, question, project, model, status,
           started_ms AS startedMs, finished_ms AS finishedMs FROM runs WHERE id = ?`,
        id,
      );
      if (row === undefined) return undefined;
      return { ...row, session: row.session ?? undefined, finishedMs: row.finishedMs ?? undefined };
    },
    leftOpen: (project) =>
      database.all(
        `SELECT id AS run, holder, started_ms AS startedMs FROM runs
         WHERE status = 'running' AND project = ? AND holder IS NOT NULL ORDER BY rowid`,
        project,
      ),
    unfinishedRuns: (project, sinceMs, untilMs) =>
      database.number(
        `SELECT count(*) AS n FROM runs WHERE project = ? AND (finished_ms IS NULL OR status = 'cut-off')
           AND started_ms BETWEEN ? AND ?`,
        project,
        Math.floor(Math.max(0, sinceMs)),
        Math.floor(untilMs),
      ),
    addStep: ({ run, step, ...body }) => append([{ run, step, kind: 'step', ts: nowMs(), body }]),
    steps: (run) =>
      database
        .all<Omit<StepRow, 'input'> & { input: string }>(
          `SELECT run, step, tool, plugin, digest, input, status, summary,
             duration_ms AS durationMs, bytes, attempts FROM steps WHERE run = ? ORDER BY seq`,
          run,
        )
        .map((row) => ({ ...row, input: JSON.parse(row.input) as JsonObject })),
    addHostCalls: (calls) =>
      append(
        calls.map(({ run, step, ts, ...body }) => ({ run, step, ts, kind: 'host-call', body })),
      ),
    hostCalls: (run) =>
      database
        .all<Nullable<Required<HostCallRow>, 'bytes' | 'times'>>(
          `SELECT run, step, call, target, outcome, duration_ms AS durationMs, bytes,
             nullif(times, 1) AS times, ts
           FROM host_calls WHERE run = ? ORDER BY seq`,
          run,
        )
        .map(present),
    addGuardRow: ({ run, ts, ...body }) => append([{ run, ts, kind: 'guard', body }]),
    guardRows: (project, run) =>
      database
        .all<Omit<GuardRow, 'counts' | 'source'> & { counts: string; source: string | null }>(
          `SELECT guard_rows.run, ts, point, "check", action, source, counts FROM guard_rows
           JOIN runs ON runs.id = guard_rows.run
           WHERE project = ? AND substr(guard_rows.run, 1, ?) = ? ORDER BY seq`,
          project,
          run.length,
          run,
        )
        .map(({ counts, ...row }) => ({
          ...present(row),
          counts: JSON.parse(counts) as GuardRow['counts'],
        })),
    hasRun: (project, run) =>
      database.all<{ id: string }>(
        'SELECT id FROM runs WHERE project = ? AND substr(id, 1, ?) = ? LIMIT 1',
        project,
        run.length,
        run,
      ).length > 0,
  };
}

/** A row as SQLite gives it, where what is absent is null. */
type Nullable<Row, Keys extends keyof Row> = {
  [Key in keyof Row]: Key extends Keys ? Exclude<Row[Key], undefined> | null : Row[Key];
};

/** Runs by how their id begins, and the steps of one binary. */
export function findRuns(database: Database): Pick<Store, 'runsNamed' | 'stepsOf' | 'usageByDay'> {
  return {
    usageByDay: (project, sinceMs) =>
      database
        .all<Nullable<Required<DayUsage>, 'usd'>>(
          `SELECT date(started_ms / 1000, 'unixepoch', 'localtime') AS day,
             count(DISTINCT runs.id) AS runs, count(events.seq) AS requests,
             coalesce(sum(events.body ->> 'inputTokens'), 0) AS inputTokens,
             coalesce(sum(events.body ->> 'outputTokens'), 0) AS outputTokens,
             sum(events.body ->> 'usd') AS usd,
             count(events.body) - count(events.body ->> 'usd') AS unpriced
           FROM runs LEFT JOIN events ON events.run = runs.id AND events.kind = 'model-call'
           WHERE project = ? AND started_ms >= ? GROUP BY day ORDER BY day`,
          project,
          Math.floor(sinceMs),
        )
        .map(present),
    runsNamed: (prefix) =>
      database.column<string>(
        'SELECT id FROM runs WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 2',
        prefix.length,
        prefix,
      ),
    stepsOf: (plugin, digest) =>
      database.all(
        'SELECT run, step FROM steps WHERE plugin = ? AND digest = ? ORDER BY seq DESC LIMIT 2000',
        plugin,
        digest,
      ),
  };
}
