import type { PluginValues } from '../contracts/host-service.ts';
import type { JournalBody } from '../contracts/journal.ts';
import type { KeptOutput, KeptOutputs } from '../contracts/kept-outputs.ts';
import type { Append } from './event-queries.ts';
import { type Database, insertRow } from './open-database.ts';

export function valueQueries(database: Database): PluginValues {
  return {
    get: ({ plugin, project }, key) =>
      database.get<{ value: Uint8Array }>(
        'SELECT value FROM plugin_values WHERE plugin = ? AND project = ? AND key = ?',
        plugin,
        project,
        key,
      )?.value,
    set: ({ plugin, project }, key, value) => {
      database.run(
        'INSERT INTO plugin_values (plugin, project, key, value) VALUES (?, ?, ?, ?) ON CONFLICT (plugin, project, key) DO UPDATE SET value = excluded.value',
        plugin,
        project,
        key,
        value,
      );
    },
    delete: ({ plugin, project }, key) => {
      database.run(
        'DELETE FROM plugin_values WHERE plugin = ? AND project = ? AND key = ?',
        plugin,
        project,
        key,
      );
    },
    clear: (plugin) => {
      database.run('DELETE FROM plugin_values WHERE plugin = ?', plugin);
    },
    keys: ({ plugin, project }, prefix) =>
      database.column<string>(
        'SELECT key FROM plugin_values WHERE plugin = ? AND project = ? AND substr(key, 1, ?) = ? ORDER BY key',
        plugin,
        project,
        [...prefix].length,
        prefix,
      ),
    bytes: ({ plugin, project }) =>
      database.get<{ total: number | null }>(
        'SELECT sum(length(CAST(key AS BLOB)) + length(value)) AS total FROM plugin_values WHERE plugin = ? AND project = ?',
        plugin,
        project,
      )?.total ?? 0,
  };
}

type Row = Omit<KeptOutput, 'isCut'> & { is_cut: number };

const columns = 'run, step, plugin, program, stream, hash, bytes, is_cut, ts';

export function outputQueries(database: Database): KeptOutputs {
  return {
    add: ({ run, step, plugin, program, stream, hash, bytes, isCut, ts }) => {
      const row = { run, step, plugin, program, stream, hash, bytes, is_cut: isCut, ts };
      insertRow(database, 'program_outputs', row);
    },
    ofStep: (run, step) =>
      database
        .all<Row>(
          `SELECT ${columns} FROM program_outputs WHERE run = ? AND step = ? ORDER BY seq`,
          run,
          step,
        )
        .map(toOutput),
    find: (project, id) =>
      database
        .all<Row>(
          `SELECT ${columns} FROM program_outputs
           WHERE run IN (SELECT id FROM runs WHERE project = ?)
             AND (substr(run, 1, ?) = ? OR hash = ?)
           ORDER BY seq`,
          project,
          id.length,
          id,
          id,
        )
        .map(toOutput),
    isOf: (plugin, project, hash) =>
      database.get(
        `SELECT 1 FROM program_outputs
         WHERE plugin = ? AND hash = ? AND run IN (SELECT id FROM runs WHERE project = ?) LIMIT 1`,
        plugin,
        hash,
        project,
      ) !== undefined,
    trim: (maxBytes) =>
      database.transaction(() => {
        const old = database.all<{ seq: number; hash: string }>(
          `SELECT seq, hash FROM
             (SELECT seq, hash, sum(bytes) OVER (ORDER BY seq DESC) AS total FROM program_outputs)
           WHERE total > ?`,
          maxBytes,
        );
        for (const { seq } of old) database.run('DELETE FROM program_outputs WHERE seq = ?', seq);
        return [...new Set(old.map(({ hash }) => hash))].filter(
          (hash) => !isNeeded(database, hash),
        );
      }),
  };
}

function toOutput({ is_cut, ...row }: Row): KeptOutput {
  return { ...row, isCut: is_cut === 1 };
}

/**
 * How the words in a table go:
 * - `run`: with those of the run that its column `run` names
 * - `contents`: as `run`, but their row stays without them
 * - `undo`: as `run`, where what the run changed is no longer to be taken back either
 * - `session`: with the session, and with what was said in a run of it
 * - `memory`: with their row of memory
 * - `all`: all of them, with every deletion, since they cannot be searched
 * - `apart`: by a command of their own
 * - `never`: it has none, or its names must stay
 */
type Kept = {
  goes: 'run' | 'contents' | 'undo' | 'session' | 'memory' | 'all' | 'apart' | 'never';
  /** columns that hold what a person said or a tool brought */
  words: readonly string[];
  /** columns of text that hold ids, names of tools and folders, digests, states */
  other: readonly string[];
};

/** Every column of text or bytes of `cuervo.db`. Deletion goes by it, so a new column needs its place. */
export const keptWords: Readonly<Record<string, Kept>> = {
  sessions: { goes: 'session', words: ['title'], other: ['id', 'project'] },
  messages: { goes: 'session', words: ['text'], other: ['session', 'run', 'role'] },
  runs: {
    goes: 'session',
    words: ['question'],
    other: ['id', 'session', 'command', 'project', 'model', 'status', 'holder'],
  },
  talk: { goes: 'run', words: ['part'], other: ['session', 'run', 'kind'] },
  // the rest of the chain stays, so that it can still be proved
  events: { goes: 'contents', words: ['step', 'body'], other: ['run', 'kind', 'leaf', 'link'] },
  audit_heads: { goes: 'never', words: [], other: ['link', 'signature'] },
  lasting_effects: { goes: 'run', words: ['step', 'text'], other: ['run'] },
  program_outputs: {
    goes: 'run',
    words: ['step', 'program'],
    other: ['run', 'plugin', 'stream', 'hash'],
  },
  payloads: { goes: 'run', words: [], other: ['run', 'hash'] },
  file_changes: {
    goes: 'undo',
    words: ['step', 'path', 'target'],
    other: ['run', 'root', 'kind', 'before_hash', 'after_hash'],
  },
  memory_changes: { goes: 'undo', words: ['before'], other: ['run', 'id'] },
  recalled: { goes: 'undo', words: [], other: ['run', 'id', 'layer'] },
  memory_rows: { goes: 'memory', words: ['record'], other: ['id', 'project', 'layer'] },
  memory_wal: { goes: 'memory', words: ['record'], other: ['id'] },
  memory_links: { goes: 'memory', words: [], other: ['newer', 'older'] },
  memory_uses: { goes: 'memory', words: [], other: ['id', 'layer'] },
  memory_forgotten: { goes: 'never', words: [], other: ['id'] },
  // the name of a forgotten source stays, so that it is not read again
  memory_sources: { goes: 'never', words: [], other: ['project', 'source', 'hash'] },
  model_replies: { goes: 'all', words: ['reply'], other: ['key'] },
  // words stand in the settings `last-answer:…` alone, which `eraseWords` takes out
  settings: { goes: 'session', words: ['value'], other: ['key'] },
  // by `plugin remove`
  plugin_values: {
    goes: 'apart',
    words: ['key', 'value'],
    other: ['plugin', 'project'],
  },
  model_spending: { goes: 'never', words: [], other: ['day'] },
  metrics: { goes: 'never', words: [], other: ['value'] },
  jobs: { goes: 'never', words: [], other: ['name', 'last_outcome', 'holder'] },
  // counts, ids and reasons; never the text of a row
  job_runs: {
    goes: 'never',
    words: [],
    other: ['job', 'holder', 'why', 'outcome', 'summary', 'details'],
  },
};

const tablesThatGo = (...goes: Kept['goes'][]): string[] =>
  Object.entries(keptWords).flatMap(([table, kept]) => (goes.includes(kept.goes) ? [table] : []));

/**
 * Takes the words of runs out of every table that is kept by run, and replies of models, which
 * cannot be searched. Within a transaction.
 *
 * @param isWhole also what their undo needs
 */
export function eraseWords(
  database: Database,
  append: Append,
  runs: readonly string[],
  { isWhole, ts }: { isWhole: boolean; ts: number },
): void {
  const ids = JSON.stringify(runs);
  const ofRuns = 'run IN (SELECT value FROM json_each(?))';
  // what came of it may quote it, and so may what sums a conversation up
  const spoken = `SELECT session FROM talk WHERE ${ofRuns} UNION SELECT session FROM messages WHERE ${ofRuns}
    UNION SELECT session FROM runs WHERE id IN (SELECT value FROM json_each(?))`;
  database.run(
    `DELETE FROM talk WHERE kind = 'compaction' AND session IN (${spoken})`,
    ...[ids, ids, ids],
  );
  database.run(
    `DELETE FROM settings WHERE key LIKE 'last-answer:%'
       AND json_extract(value, '$.session') IN (${spoken})`,
    ...[ids, ids, ids],
  );
  for (const table of tablesThatGo('run', ...(isWhole ? (['undo'] as const) : []))) {
    database.run(`DELETE FROM ${table} WHERE ${ofRuns}`, ids);
  }
  removeContents(database, append, { why: 'forget', runs, ts });
  for (const table of tablesThatGo('all')) database.run(`DELETE FROM ${table}`);
}

/** Takes the contents of events of runs out of the journal, which says so. Within a transaction. */
export function removeContents(
  database: Database,
  append: Append,
  { why, runs, ts }: { why: JournalBody<'removed'>['why']; runs: readonly string[]; ts: number },
): void {
  const removed = database.run(
    `UPDATE events SET step = NULL, body = NULL
     WHERE body IS NOT NULL AND run IN (SELECT value FROM json_each(?))`,
    JSON.stringify(runs),
  );
  if (removed > 0) append([{ kind: 'removed', ts, body: { why, runs: [...runs] } }]);
}

/** Whether a row names a blob. */
function isNeeded(database: Database, hash: string): boolean {
  return (
    database.get(
      `SELECT 1 FROM program_outputs WHERE hash = ?
       UNION ALL SELECT 1 FROM payloads WHERE hash = ?
       UNION ALL SELECT 1 FROM file_changes WHERE before_hash = ? LIMIT 1`,
      hash,
      hash,
      hash,
    ) !== undefined
  );
}
