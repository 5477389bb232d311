import type { ChangedRun, FileChange, FileChanges } from '../contracts/file-changes.ts';
import type { Database } from './open-database.ts';

type Row = {
  run: string | null;
  step: string | null;
  root: string;
  path: string;
  kind: FileChange['kind'];
  target: string | null;
  before_hash: string | null;
  after_hash: string | null;
  mode: number;
  ts: number;
};

/** What plugins changed below the roots. */
export function changeQueries(database: Database): FileChanges {
  return {
    add: (change) =>
      database.get<{ seq: number }>(
        'INSERT INTO file_changes (run, step, root, path, kind, target, before_hash, after_hash, mode, ts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq',
        change.run ?? null,
        change.step ?? null,
        change.root,
        change.path,
        change.kind,
        change.target ?? null,
        change.beforeHash ?? null,
        change.afterHash ?? null,
        change.mode,
        change.ts,
      )?.seq ?? 0,
    remove: (seq) => {
      database.run('DELETE FROM file_changes WHERE seq = ?', seq);
    },
    ofRun: (run) =>
      database.all<Row>('SELECT * FROM file_changes WHERE run = ? ORDER BY seq', run).map(toChange),
    runs: (project, limit) =>
      database
        .all<Omit<ChangedRun, 'undoneMs'> & { undoneMs: number | null }>(
          `SELECT runs.id AS run, runs.command, runs.question, runs.started_ms AS startedMs,
             count(*) AS changes, max(file_changes.undone_ms) AS undoneMs
           FROM file_changes JOIN runs ON runs.id = file_changes.run
           WHERE runs.project = ? GROUP BY runs.id ORDER BY max(file_changes.seq) DESC LIMIT ?`,
          project,
          limit,
        )
        .map(({ undoneMs, ...row }) => (undoneMs === null ? row : { ...row, undoneMs })),
    markUndone: (run, ts) => {
      database.run('UPDATE file_changes SET undone_ms = ? WHERE run = ?', ts, run);
    },
  };
}

function toChange(row: Row): FileChange {
  return {
    ...(row.run === null ? {} : { run: row.run }),
    ...(row.step === null ? {} : { step: row.step }),
    root: row.root,
    path: row.path,
    kind: row.kind,
    ...(row.target === null ? {} : { target: row.target }),
    ...(row.before_hash === null ? {} : { beforeHash: row.before_hash }),
    ...(row.after_hash === null ? {} : { afterHash: row.after_hash }),
    mode: row.mode,
    ts: row.ts,
  };
}
