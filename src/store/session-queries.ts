import { KernelError } from '../contracts/error.ts';
import type { MessageRow, SessionRow, Store } from '../contracts/store.ts';
import { checkLimit } from './check-limit.ts';
import type { Database } from './open-database.ts';

type SessionMethods =
  | 'latestSession'
  | 'createSession'
  | 'session'
  | 'sessions'
  | 'messages'
  | 'forgetMessages'
  | 'addMessage';

/** Of a text in a title, which may hold words before it. */
const titlePart = 40;

const columns = `id, project, title, created_ms AS createdMs, updated_ms AS updatedMs,
  (SELECT count(*) FROM messages WHERE session = sessions.id) AS messages`;
// rowid: of two that were touched in the same millisecond the later made one is the newer
const newestFirst = 'ORDER BY updated_ms DESC, rowid DESC';

/** Conversations and what was said in them. */
export function sessionQueries(
  database: Database,
  newId: () => string,
): Pick<Store, SessionMethods> {
  return {
    latestSession: (project) =>
      database.get<SessionRow>(
        `SELECT ${columns} FROM sessions WHERE project = ? ${newestFirst} LIMIT 1`,
        project,
      ),
    createSession: (project, title, nowMs) => {
      const id = newId();
      database.run(
        'INSERT INTO sessions (id, project, title, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?)',
        id,
        project,
        title,
        nowMs,
        nowMs,
      );
      return { id, project, title, createdMs: nowMs, updatedMs: nowMs, messages: 0 };
    },
    session: (id) => database.get<SessionRow>(`SELECT ${columns} FROM sessions WHERE id = ?`, id),
    sessions: ({ project, limit }) =>
      project === undefined
        ? database.all<SessionRow>(
            `SELECT ${columns} FROM sessions ${newestFirst} LIMIT ?`,
            checkLimit(limit),
          )
        : database.all<SessionRow>(
            `SELECT ${columns} FROM sessions WHERE project = ? ${newestFirst} LIMIT ?`,
            project,
            checkLimit(limit),
          ),
    messages: (session) =>
      database.all<MessageRow>(
        'SELECT session, run, role, text, ts FROM messages WHERE session = ? ORDER BY seq',
        session,
      ),
    forgetMessages: (said) => {
      database.transaction(() => {
        for (const { run, text } of said) {
          const sessions = database.all<{ session: string }>(
            'SELECT DISTINCT session FROM messages WHERE run = ? AND text = ?',
            run,
            text,
          );
          database.run('DELETE FROM messages WHERE run = ? AND text = ?', run, text);
          // the title is the beginning of what was said first
          for (const { session } of sessions) {
            database.run(
              "UPDATE sessions SET title = '(forgotten)' WHERE id = ? AND instr(title, ?) > 0",
              session,
              text.replace(/\s+/g, ' ').slice(0, titlePart),
            );
          }
        }
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
        database.run(
          'INSERT INTO messages (session, run, role, text, ts) VALUES (?, ?, ?, ?, ?)',
          session,
          run,
          role,
          text,
          ts,
        );
      });
    },
  };
}
