import type { FileChange, FileChanges } from '../contracts/file-changes.ts';
import type { ListedRun } from '../contracts/output/parse-session.ts';
import { type Database, present } from './open-database.ts';

const columns = `run, step, root, path, kind, target, before_hash AS beforeHash,
  after_hash AS afterHash, mode, after_mode AS afterMode, ts`;

type Row = { [Key in keyof Required<FileChange>]: FileChange[Key] | null } & Pick<
  Required<FileChange>,
  'root' | 'path' | 'kind' | 'mode' | 'ts'
>;

/** What plugins changed below the roots. */
export function changeQueries(database: Database): FileChanges {
  const add = (change: FileChange): number =>
    database.number(
      'INSERT INTO file_changes (run, step, root, path, kind, target, before_hash, after_hash, mode, after_mode, ts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq',
      change.run ?? null,
      change.step ?? null,
      change.root,
      change.path,
      change.kind,
      change.target ?? null,
      change.beforeHash ?? null,
      change.afterHash ?? null,
      change.mode,
      change.afterMode ?? null,
      change.ts,
    );
  return {
    add,
    addAll: (changes) => database.transaction(() => changes.map(add)),
    addLasting: ({ run, step, text, isPossible = false, ts }) =>
      database.number(
        'INSERT INTO lasting_effects (run, step, text, possible, ts) VALUES (?, ?, ?, ?, ?) RETURNING seq',
        run ?? null,
        step ?? null,
        text,
        isPossible ? 1 : 0,
        ts,
      ),
    removeLasting: (seq) => {
      database.run('DELETE FROM lasting_effects WHERE seq = ?', seq);
    },
    remove: (...seqs) => {
      database.transaction(() => {
        for (const seq of seqs) database.run('DELETE FROM file_changes WHERE seq = ?', seq);
      });
    },
    ofRun: (run) =>
      database
        .all<Row>(`SELECT ${columns} FROM file_changes WHERE run = ? ORDER BY seq`, run)
        .map(present),
    ofPath: (project, root, path) =>
      database
        .all<Row>(
          `SELECT ${columns} FROM file_changes WHERE root = ? AND path = ?
             AND run IN (SELECT id FROM runs WHERE project = ?) ORDER BY seq`,
          ...[root, path, project],
        )
        .map(present),
    rowsOf: (run) =>
      database
        .all<Row & { seq: number }>(
          `SELECT ${columns}, seq FROM file_changes WHERE run = ? ORDER BY seq`,
          run,
        )
        .map(present),
    runs: (project, limit) =>
      listedRuns(
        database,
        `AND (changed.run IS NOT NULL
          OR EXISTS (SELECT 1 FROM lasting_effects WHERE run = runs.id AND possible = 0)
          OR EXISTS (SELECT 1 FROM host_calls WHERE run = runs.id AND call IN ${sending}
            AND outcome = 'ok' AND target NOT LIKE 'GET %' AND target NOT LIKE 'HEAD %'))`,
        [project, limit],
      ).map(({ status: _, finishedMs: __, ...row }) => row),
    allRuns: (project, limit) => listedRuns(database, '', [project, limit]),
    hashesByRun: () => {
      const rows = database.all<{ run: string; hash: string }>(
        `SELECT coalesce(run, '') AS run, before_hash AS hash FROM file_changes
         WHERE before_hash IS NOT NULL GROUP BY run, before_hash
         ORDER BY max(max(seq)) OVER (PARTITION BY run) DESC, run`,
      );
      const runs = new Map<string, string[]>();
      for (const { run, hash } of rows) {
        const hashes = runs.get(run);
        if (hashes === undefined) runs.set(run, [hash]);
        else hashes.push(hash);
      }
      return runs.values();
    },
    named: () => ({
      hashes: new Set(
        database.column<string>(
          `SELECT hash FROM program_outputs
             UNION SELECT hash FROM payloads
             UNION SELECT before_hash FROM file_changes WHERE before_hash IS NOT NULL`,
        ),
      ),
      isRunning: database.get("SELECT 1 FROM runs WHERE status = 'running' LIMIT 1") !== undefined,
    }),
    markUndone: (run, ts) => {
      database.run('UPDATE file_changes SET undone_ms = ? WHERE run = ?', ts ?? null, run);
    },
  };
}

/** Host calls that may have sent something to others. */
const sending = "('http.send', 'exec.connect')";

/** @param which a further condition on the runs, as SQL */
function listedRuns(
  database: Database,
  which: string,
  [project, limit]: [string, number],
): ListedRun[] {
  type Found = Omit<ListedRun, 'undoneMs' | 'lasting' | 'finishedMs'> & {
    undoneMs: number | null;
    finishedMs: number | null;
  };
  return database
    .all<Found>(
      `SELECT runs.id AS run, runs.command, runs.question, runs.started_ms AS startedMs,
         runs.status, runs.finished_ms AS finishedMs,
         coalesce(changed.changes, 0) AS changes, changed.undoneMs
       FROM runs LEFT JOIN (
         SELECT run, count(*) AS changes, max(undone_ms) AS undoneMs
         FROM file_changes GROUP BY run
       ) AS changed ON changed.run = runs.id
       WHERE runs.project = ? ${which}
       ORDER BY runs.rowid DESC LIMIT ?`,
      project,
      limit,
    )
    .map((row) => ({ ...present(row), lasting: lastingOf(database, row.run) }));
}

/** Effects that no undo takes back, without answered requests: these are among the host calls. */
function lastingOf(database: Database, run: string): string[] {
  const effects = database.all<{ text: string }>(
    'SELECT text FROM lasting_effects WHERE run = ? GROUP BY text ORDER BY min(seq)',
    run,
  );
  const requests = database.all<{ target: string }>(
    `SELECT DISTINCT target FROM host_calls WHERE run = ? AND call IN ${sending} AND outcome = 'ok'`,
    run,
  );
  return [
    ...effects.map(({ text }) => text),
    ...requests.map(({ target }) => `sent over the network: ${target}`),
  ];
}
