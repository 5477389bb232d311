import type { Store, TalkRow } from '../contracts/store.ts';
import type { TalkPart } from '../contracts/talk.ts';
import type { Database } from './open-database.ts';
import { insertRow } from './open-database.ts';

type TalkMethods = 'addTalk' | 'talk' | 'spentOn' | 'addSpending' | 'keptReply' | 'keepReply';

/** What was said to and by models, what it cost, and replies that may be used again. */
export function talkQueries(database: Database): Pick<Store, TalkMethods> {
  return {
    addTalk: ({ session, run, ts, part }) => {
      const { kind } = part;
      insertRow(database, 'talk', { session, run, ts, kind, part: JSON.stringify(part) });
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
    spentOn: (day) =>
      database.get<{ usd: number }>('SELECT usd FROM model_spending WHERE day = ?', day)?.usd ?? 0,
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
