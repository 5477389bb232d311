import type { Database } from 'better-sqlite3';
import { KernelError } from '../contracts/error.ts';

/** Each brings the file from the format of its index to the next; never edited once released. */
const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    title TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_project ON sessions (project, updated_ms);

  -- run is no foreign key: a conversation outlives the records of its runs
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    run TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    text TEXT NOT NULL,
    ts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX messages_by_session ON messages (session);

  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    session TEXT REFERENCES sessions (id) ON DELETE SET NULL,
    command TEXT NOT NULL,
    question TEXT NOT NULL,
    project TEXT NOT NULL,
    model TEXT NOT NULL,
    status TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER
  ) STRICT;
  CREATE INDEX runs_by_session ON runs (session);

  CREATE TABLE steps (
    seq INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    step TEXT NOT NULL,
    tool TEXT NOT NULL,
    plugin TEXT NOT NULL,
    digest TEXT NOT NULL,
    input TEXT NOT NULL CHECK (json_valid(input)),
    status TEXT NOT NULL,
    summary TEXT NOT NULL,
    duration_ms REAL NOT NULL,
    bytes INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    UNIQUE (run, step)
  ) STRICT;

  CREATE TABLE host_calls (
    seq INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    step TEXT NOT NULL,
    call TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL,
    duration_ms REAL NOT NULL,
    bytes INTEGER,
    ts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX host_calls_by_run ON host_calls (run);

  CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT, WITHOUT ROWID;

  -- AUTOINCREMENT: a seq is never used twice, so removing a flushed row cannot hit a newer one
  CREATE TABLE memory_wal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL CHECK (json_valid(record))
  ) STRICT;
  `,
  `
  CREATE TABLE plugin_values (
    plugin TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (plugin, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- run is no foreign key: what was changed can be taken back after the run's record is gone
  CREATE TABLE file_changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT,
    step TEXT,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('write', 'create', 'remove', 'rename')),
    target TEXT,
    before_hash TEXT,
    after_hash TEXT,
    mode INTEGER NOT NULL,
    ts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX file_changes_by_run ON file_changes (run);
  `,
  `
  -- ms since the epoch; null while the change stands
  ALTER TABLE file_changes ADD COLUMN undone_ms INTEGER;
  `,
  `
  CREATE TABLE memory_sources (
    project TEXT NOT NULL,
    source TEXT NOT NULL,
    hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    changed_ms REAL,
    forgotten_ms INTEGER,
    PRIMARY KEY (project, source)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- null where the mode stayed what it was
  ALTER TABLE file_changes ADD COLUMN after_mode INTEGER;

  -- what a run did that no undo takes back
  CREATE TABLE lasting_effects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT,
    step TEXT,
    text TEXT NOT NULL,
    -- 1 when nobody looked whether it happened
    possible INTEGER NOT NULL,
    ts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX lasting_effects_by_run ON lasting_effects (run);
  `,
  `
  -- lease_until counts the machine's own time, not that of its clock
  CREATE TABLE jobs (
    name TEXT PRIMARY KEY,
    since_ms INTEGER NOT NULL,
    last_run_ms INTEGER,
    last_outcome TEXT,
    failures INTEGER NOT NULL DEFAULT 0,
    stops INTEGER NOT NULL DEFAULT 0,
    paused_ms INTEGER,
    holder TEXT,
    lease_ms INTEGER,
    lease_until INTEGER
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    job TEXT NOT NULL,
    holder TEXT NOT NULL,
    why TEXT NOT NULL,
    outcome TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    summary TEXT NOT NULL,
    details TEXT NOT NULL CHECK (json_valid(details))
  ) STRICT;
  CREATE INDEX job_runs_by_job ON job_runs (job);
  `,
  `
  -- 1: belongs to the index of its workspace
  ALTER TABLE memory_sources ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- the process that began the run, by which another one tells that it is gone
  ALTER TABLE runs ADD COLUMN holder TEXT;
  CREATE INDEX runs_that_run ON runs (project) WHERE status = 'running';
  `,
  `
  -- how often answers drew on a row of memory; score: the same, less with time, as of scored_ms
  CREATE TABLE memory_uses (
    id TEXT PRIMARY KEY,
    layer TEXT NOT NULL,
    uses INTEGER NOT NULL,
    score REAL NOT NULL,
    scored_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE metrics (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    ts INTEGER NOT NULL,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT;
  `,
  `
  -- what the answer of a run drew on; run is no foreign key: the row of memory outlives it
  CREATE TABLE recalled (
    run TEXT NOT NULL,
    id TEXT NOT NULL,
    layer TEXT NOT NULL,
    score REAL NOT NULL,
    ts INTEGER NOT NULL,
    PRIMARY KEY (run, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX recalled_by_id ON recalled (id);
  `,
  `
  -- long outputs of programs, each a blob; run is no foreign key: the blob is there as long as it
  CREATE TABLE program_outputs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    step TEXT NOT NULL,
    plugin TEXT NOT NULL,
    program TEXT NOT NULL,
    stream TEXT NOT NULL CHECK (stream IN ('stdout', 'stderr')),
    hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    -- 1 when the program printed more than is kept
    is_cut INTEGER NOT NULL,
    ts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX program_outputs_by_run ON program_outputs (run, step);
  CREATE INDEX program_outputs_by_hash ON program_outputs (hash);
  `,
  `
  -- what the checkpoints around a model did in a run: how many of each kind, never the thing itself
  CREATE TABLE guard_rows (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    ts INTEGER NOT NULL,
    point TEXT NOT NULL,
    action TEXT NOT NULL,
    "check" TEXT NOT NULL,
    source TEXT,
    counts TEXT NOT NULL CHECK (json_valid(counts))
  ) STRICT;
  CREATE INDEX guard_rows_by_run ON guard_rows (run);
  `,
  `
  -- how many refusals of one kind the row stands for
  ALTER TABLE host_calls ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
  `,
  `
  -- values from before belong to no known workspace, and so to none
  DROP TABLE plugin_values;
  CREATE TABLE plugin_values (
    plugin TEXT NOT NULL,
    -- absolute path of the workspace
    project TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (plugin, project, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- all that was said or added here, whole: the tables of memory are made of it
  CREATE TABLE memory_rows (
    id TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    layer TEXT NOT NULL,
    -- a fact, decision or preference of a person
    is_kept INTEGER NOT NULL,
    -- it was neither replaced nor ended
    holds INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    record TEXT NOT NULL CHECK (json_valid(record))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memory_rows_by_layer ON memory_rows (layer);
  CREATE INDEX memory_facts ON memory_rows (project, ts) WHERE is_kept = 1;

  -- which fact took the place of which
  CREATE TABLE memory_links (
    newer TEXT NOT NULL,
    older TEXT NOT NULL,
    PRIMARY KEY (newer, older)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX memory_links_by_older ON memory_links (older);

  -- ids alone: what was forgotten does not come back from a table
  CREATE TABLE memory_forgotten (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- rows as they were before a run said something; null where there was none
  CREATE TABLE memory_changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    id TEXT NOT NULL,
    before TEXT
  ) STRICT;
  CREATE INDEX memory_changes_by_run ON memory_changes (run);

  INSERT INTO memory_rows (id, project, layer, is_kept, holds, ts, record)
    SELECT id, json_extract(record, '$.project'), json_extract(record, '$.layer'),
      json_extract(record, '$.kind') = 'note' AND json_extract(record, '$.source') IS NULL, 1,
      CAST(json_extract(record, '$.ts') AS INTEGER), record
    FROM memory_wal WHERE json_extract(record, '$.layer') <> 'assets';
  `,
  `
  -- conversations with models as they happened: questions, replies, calls, results
  CREATE TABLE talk (
    seq INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    -- no foreign key: a conversation outlives the records of its runs
    run TEXT NOT NULL,
    ts INTEGER NOT NULL,
    kind TEXT NOT NULL,
    part TEXT NOT NULL CHECK (json_valid(part))
  ) STRICT;
  CREATE INDEX talk_by_session ON talk (session);
  CREATE INDEX talk_by_run ON talk (run);

  CREATE TABLE model_spending (
    day TEXT PRIMARY KEY,
    usd REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- replies to requests that were the very same
  CREATE TABLE model_replies (
    key TEXT PRIMARY KEY,
    made_ms INTEGER NOT NULL,
    reply TEXT NOT NULL CHECK (json_valid(reply))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX model_replies_by_age ON model_replies (made_ms);
  `,
  `
  -- all that a run did, each once and in its order; never changed, but for contents that are removed
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- no foreign key: an event outlives the record of its run
    run TEXT,
    kind TEXT NOT NULL,
    ts INTEGER NOT NULL,
    -- null with body once it is removed
    step TEXT,
    body TEXT CHECK (json_valid(body)),
    -- proves the contents, by the key of the audit; empty until the first event of this format
    leaf BLOB NOT NULL,
    -- ties the event to all before it
    link BLOB NOT NULL
  ) STRICT;
  CREATE INDEX events_by_run ON events (run, kind, step);

  INSERT INTO events (run, kind, ts, step, body, leaf, link)
    SELECT run, kind, ts, step, body, x'', x'' FROM (
      SELECT runs.rowid AS place, 1 AS part, seq, run, 'host-call' AS kind, ts, step,
        json_patch('{}', json_object('call', call, 'target', target, 'outcome', outcome,
          'durationMs', duration_ms, 'bytes', bytes, 'times', nullif(times, 1))) AS body
      FROM host_calls JOIN runs ON runs.id = run
      UNION ALL
      SELECT runs.rowid, 2, seq, run, 'step', coalesce(finished_ms, started_ms), step,
        json_object('tool', tool, 'plugin', plugin, 'digest', digest, 'input', json(input),
          'status', steps.status, 'summary', summary, 'durationMs', duration_ms, 'bytes', bytes,
          'attempts', attempts)
      FROM steps JOIN runs ON runs.id = run
      UNION ALL
      SELECT runs.rowid, 3, seq, run, 'guard', ts, NULL,
        json_patch('{}', json_object('point', point, 'action', action, 'check', "check",
          'source', source, 'counts', json(counts)))
      FROM guard_rows JOIN runs ON runs.id = run
    ) ORDER BY place, part, seq;
  DROP TABLE host_calls;
  DROP TABLE steps;
  DROP TABLE guard_rows;

  CREATE VIEW host_calls AS
    SELECT seq, run, step, body ->> 'call' AS call, body ->> 'target' AS target,
      body ->> 'outcome' AS outcome, body ->> 'durationMs' AS duration_ms,
      body ->> 'bytes' AS bytes, coalesce(body ->> 'times', 1) AS times, ts
    FROM events WHERE kind = 'host-call' AND body IS NOT NULL;

  -- a step that ran again stands where it first stood
  CREATE VIEW steps AS
    SELECT (SELECT min(seq) FROM events AS first
        WHERE first.run = last.run AND first.kind = 'step' AND first.step = last.step) AS seq,
      run, step, body ->> 'tool' AS tool, body ->> 'plugin' AS plugin, body ->> 'digest' AS digest,
      body -> 'input' AS input, body ->> 'status' AS status, body ->> 'summary' AS summary,
      body ->> 'durationMs' AS duration_ms, body ->> 'bytes' AS bytes,
      body ->> 'attempts' AS attempts
    FROM events AS last WHERE kind = 'step' AND body IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM events AS later WHERE later.run = last.run AND later.kind = 'step'
        AND later.step = last.step AND later.seq > last.seq);
  CREATE INDEX events_of_plugins ON events (body ->> 'plugin', body ->> 'digest')
    WHERE kind = 'step';

  CREATE VIEW guard_rows AS
    SELECT seq, run, ts, body ->> 'point' AS point, body ->> 'action' AS action,
      body ->> 'check' AS "check", body ->> 'source' AS source, body -> 'counts' AS counts
    FROM events WHERE kind = 'guard' AND body IS NOT NULL;

  CREATE TABLE audit_heads (
    seq INTEGER NOT NULL,
    link TEXT NOT NULL,
    ts INTEGER NOT NULL,
    signature TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- long answers that a run recorded, each a blob; run is no foreign key: the blob is there as long as it
  CREATE TABLE payloads (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    ts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX payloads_by_run ON payloads (run);
  CREATE INDEX payloads_by_hash ON payloads (hash);
  `,
];

/** The format that this version writes. */
export const formatVersion = migrations.length;

/**
 * Brings the file up to `formatVersion`, all or nothing.
 *
 * @param path names the file in errors
 * @param to an earlier format, to see what becomes of it
 * @throws {KernelError} `unavailable` when a newer version wrote the file
 */
export function migrate(connection: Database, path: string, to = formatVersion): void {
  if (readFormat(connection, path) === to) return;
  const work = connection.transaction(() => {
    // read again under the write lock: another process may have migrated in the meantime
    for (const sql of migrations.slice(readFormat(connection, path), to)) connection.exec(sql);
    connection.pragma(`user_version = ${to}`);
  });
  work.immediate();
}

function readFormat(connection: Database, path: string): number {
  const found = Number(connection.pragma('user_version', { simple: true }));
  if (found <= formatVersion) return found;
  throw new KernelError(
    'unavailable',
    `the store ${path} has format ${found}, this version of cuervo reads up to ${formatVersion}`,
    { hint: 'update cuervo, or set CUERVO_HOME to another folder' },
  );
}
