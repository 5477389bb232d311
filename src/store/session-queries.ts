import { KernelError } from '../contracts/error.ts';
import type { JournalBody } from '../contracts/journal.ts';
import type { MessageRow, SessionRow, Store, TalkRow } from '../contracts/store.ts';
import type { Compaction, TalkPart } from '../contracts/talk.ts';
import { sha256 } from '../lib/sha256.ts';
import type { Append } from './event-queries.ts';
import { checkLimit, type Database, insertRow } from './open-database.ts';
import { eraseWords } from './value-queries.ts';

type SessionMethods =
  | 'latestSession'
  | 'createSession'
  | 'session'
  | 'sessions'
  | 'messages'
  | 'forgetWords'
  | 'forgetRun'
  | 'runsOf'
  | 'addMessage'
  | 'forkSession'
  | 'deleteSession';

const columns = `id, project, title, created_ms AS createdMs, updated_ms AS updatedMs,
  (SELECT count(*) FROM messages WHERE session = sessions.id) AS messages`;
// rowid: of two that were touched in the same millisecond the later made one is the newer
const newestFirst = 'ORDER BY updated_ms DESC, rowid DESC';

export function sessionQueries(
  database: Database,
  newId: () => string,
  { append, nowMs }: { append: Append; nowMs: () => number },
): Pick<Store, SessionMethods> {
  return {
    latestSession: (project) =>
      database.get<SessionRow>(
        `SELECT ${columns} FROM sessions WHERE project = ? ${newestFirst} LIMIT 1`,
        project,
      ),
    createSession: (project, title, nowMs, id = newId()) => {
      insertRow(database, 'sessions', { id, project, title, created_ms: nowMs, updated_ms: nowMs });
      return { id, project, title, createdMs: nowMs, updatedMs: nowMs, messages: 0 };
    },
    session: (id) => database.get<SessionRow>(`SELECT ${columns} FROM sessions WHERE id = ?`, id),
    sessions: ({ project, limit }) =>
      database.all<SessionRow>(
        `SELECT ${columns} FROM sessions WHERE project = coalesce(?, project) ${newestFirst} LIMIT ?`,
        project ?? null,
        checkLimit(limit),
      ),
    messages: (session) =>
      database.all<MessageRow>(
        'SELECT session, run, role, text, ts FROM messages WHERE session = ? ORDER BY seq',
        session,
      ),
    forgetWords: (said, shownIn = []) => {
      database.transaction(() => {
        forgetSaid(database, said);
        const runs = new Set([...said.map(({ run }) => run), ...shownIn]);
        eraseWords(database, append, [...runs], { isWhole: false, ts: nowMs() });
      });
    },
    forgetRun: (run) => {
      database.transaction(() => {
        forgetSaid(database, [
          { run, role: 'user' },
          { run, role: 'assistant' },
        ]);
        eraseWords(database, append, [run], { isWhole: true, ts: nowMs() });
      });
    },
    runsOf: (session) =>
      database.column<string>(
        `SELECT id AS run FROM runs WHERE session = ?
           UNION SELECT run FROM messages WHERE session = ?
           UNION SELECT run FROM talk WHERE session = ?
           EXCEPT SELECT run FROM messages WHERE session <> ?
           EXCEPT SELECT run FROM talk WHERE session <> ?`,
        ...[session, session, session, session, session],
      ),
    forkSession: (from, { throughRun, end: exact, nowMs }) =>
      database.transaction(() => {
        const through = throughRun ?? lastRun(database, from.id);
        const last = through === undefined ? undefined : endOfRun(database, from.id, through);
        if (throughRun !== undefined && last === undefined) return undefined;
        const id = newId();
        const { project, title } = from;
        const made = { id, project, title, created_ms: nowMs, updated_ms: nowMs };
        insertRow(database, 'sessions', made);
        if (exact !== undefined) copyFirst(database, { from: from.id, to: id, ...exact });
        else if (last !== undefined) copyThrough(database, { from: from.id, to: id, ...last });
        return database.get<SessionRow>(`SELECT ${columns} FROM sessions WHERE id = ?`, id);
      }),
    deleteSession: (id, runs) => {
      database.transaction(() => {
        eraseWords(database, append, runs, { isWhole: true, ts: nowMs() });
        for (const run of runs) database.run('DELETE FROM runs WHERE id = ?', run);
        // its question goes even where a copy of the session holds its runs
        database.run(
          `DELETE FROM settings WHERE key = ?
             OR key LIKE 'last-answer:%' AND json_extract(value, '$.session') = ?`,
          ...[`consent:${id}`, id],
        );
        database.run('DELETE FROM sessions WHERE id = ?', id);
      });
    },
    addMessage: ({ session, run, role, text, ts }) => {
      database.transaction(() => {
        const touched = database.run(
          'UPDATE sessions SET updated_ms = max(updated_ms, ?) WHERE id = ?',
          ts,
          session,
        );
        if (touched === 0) {
          throw new KernelError('not-found', `session "${session}" is not in the store`, {
            hint: 'cuervo session list',
          });
        }
        insertRow(database, 'messages', { session, run, role, text, ts });
      });
    },
  };
}

type Said = Parameters<Store['forgetWords']>[0];

/** Takes messages out of their sessions, with the words of a question that are kept beside them. */
function forgetSaid(database: Database, said: Said): void {
  const begun = new Map(said.map(({ run }) => [run, sessionsBegunBy(database, run)]));
  for (const { run, role } of said) {
    database.run('DELETE FROM messages WHERE run = ? AND role = ?', run, role);
  }
  for (const [run, sessions] of begun) {
    const isAsked = `EXISTS (SELECT 1 FROM messages WHERE run = ? AND role = 'user')`;
    database.run(
      `UPDATE runs SET question = '(forgotten)' WHERE id = ? AND NOT ${isAsked}`,
      run,
      run,
    );
    // the title is the beginning of what was said first
    database.run(
      `UPDATE sessions SET title = '(forgotten)'
       WHERE id IN (SELECT value FROM json_each(?)) AND NOT ${isAsked}`,
      JSON.stringify(sessions),
      run,
    );
  }
}

/** Sessions, copies among them, in which nothing was said before a run. */
function sessionsBegunBy(database: Database, run: string): string[] {
  return database.column<string>(
    `SELECT id FROM sessions
       WHERE id IN (SELECT session FROM messages WHERE run = ? UNION SELECT session FROM runs WHERE id = ?)
         AND ? <= (SELECT min(run) FROM (SELECT run FROM messages WHERE session = sessions.id
           UNION ALL SELECT id FROM runs WHERE session = sessions.id))`,
    run,
    run,
    run,
  );
}

/** Where a run ends in both records of a session. */
type End = { message: number; part: number };

function endOfRun(database: Database, session: string, run: string): End | undefined {
  const end = database.get<{ message: number | null; part: number | null }>(
    `SELECT (SELECT max(seq) FROM messages WHERE session = ? AND run = ?) AS message,
       (SELECT max(seq) FROM talk WHERE session = ? AND run = ?) AS part`,
    session,
    run,
    session,
    run,
  );
  if (end === undefined || (end.message === null && end.part === null)) return undefined;
  return { message: end.message ?? 0, part: end.part ?? 0 };
}

/** Ids of runs grow with time. */
function lastRun(database: Database, session: string): string | undefined {
  return (
    database.get<{ run: string | null }>(
      `SELECT max(run) AS run FROM
         (SELECT run FROM messages WHERE session = ? UNION SELECT run FROM talk WHERE session = ?)`,
      session,
      session,
    )?.run ?? undefined
  );
}

/** A run without words in one record still bounds the other one, by its id. */
function copyThrough(
  database: Database,
  { from, to, message, part }: End & { from: string; to: string },
): void {
  database.run(
    `INSERT INTO messages (session, run, role, text, ts)
       SELECT ?, run, role, text, ts FROM messages WHERE session = ? AND seq <= ? ORDER BY seq`,
    to,
    from,
    message === 0 ? Number.MAX_SAFE_INTEGER : message,
  );
  database.run(
    `INSERT INTO talk (session, run, ts, kind, part)
       SELECT ?, run, ts, kind, part FROM talk WHERE session = ? AND seq <= ? ORDER BY seq`,
    to,
    from,
    part === 0 ? Number.MAX_SAFE_INTEGER : part,
  );
}

/** The first rows of both records. */
function copyFirst(
  database: Database,
  { from, to, messages, parts }: { from: string; to: string; messages: number; parts: number },
): void {
  database.run(
    `INSERT INTO messages (session, run, role, text, ts)
       SELECT ?, run, role, text, ts FROM messages WHERE session = ? ORDER BY seq LIMIT ?`,
    to,
    from,
    messages,
  );
  database.run(
    `INSERT INTO talk (session, run, ts, kind, part)
       SELECT ?, run, ts, kind, part FROM talk WHERE session = ? ORDER BY seq LIMIT ?`,
    to,
    from,
    parts,
  );
}

type TalkMethods = 'addTalk' | 'talk' | 'spentOn' | 'addSpending' | 'keptReply' | 'keepReply';

/** What was said to and by models, what it cost, and replies that may be used again. */
export function talkQueries(database: Database, append: Append): Pick<Store, TalkMethods> {
  return {
    addTalk: ({ session, run, ts, part }) => {
      const { kind } = part;
      const row = { session, run, ts, kind, part: JSON.stringify(part) };
      if (part.kind !== 'compaction') {
        insertRow(database, 'talk', row);
        return;
      }
      database.transaction(() => {
        insertRow(database, 'talk', row);
        append([{ run, ts, kind: 'compaction', body: compactionBody(part) }]);
      });
    },
    talk: (session) =>
      database
        .all<{ run: string; ts: number; part: string }>(
          'SELECT run, ts, part FROM talk WHERE session = ? ORDER BY seq',
          session,
        )
        .map(
          ({ run, ts, part }): TalkRow => ({
            session,
            run,
            ts,
            part: JSON.parse(part) as TalkPart,
          }),
        ),
    spentOn: (day) => database.number('SELECT usd FROM model_spending WHERE day = ?', day),
    addSpending: (day, usd) => {
      database.run(
        'INSERT INTO model_spending (day, usd) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET usd = usd + excluded.usd',
        day,
        usd,
      );
    },
    keptReply: (key, sinceMs) =>
      database.get<{ reply: string }>(
        'SELECT reply FROM model_replies WHERE key = ? AND made_ms >= ?',
        key,
        sinceMs,
      )?.reply,
    keepReply: (key, reply, { nowMs, maxBytes }) => {
      database.transaction(() => {
        database.run(
          'INSERT INTO model_replies (key, made_ms, reply) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET made_ms = excluded.made_ms, reply = excluded.reply',
          key,
          nowMs,
          reply,
        );
        database.run(
          `DELETE FROM model_replies WHERE key IN (SELECT key FROM
             (SELECT key, sum(length(reply)) OVER (ORDER BY made_ms DESC, key) AS bytes
                FROM model_replies) WHERE bytes > ?)`,
          maxBytes,
        );
      });
    },
  };
}

/** The journal gets only the digest of a summary: its words are in the conversation. */
function compactionBody({ results, calls, summary }: Compaction): JournalBody<'compaction'> {
  if (summary === undefined) return { results, calls };
  const { through, model, text } = summary;
  return { results, calls, summary: { through, model, digest: sha256(text) } };
}
