import type { JournalBody } from '../contracts/journal.ts';
import type { Store, TalkRow } from '../contracts/store.ts';
import type { Compaction, TalkPart } from '../contracts/talk.ts';
import { sha256 } from '../lib/sha256.ts';
import type { Append } from './event-queries.ts';
import type { Database } from './open-database.ts';
import { insertRow } from './open-database.ts';

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

/** The journal gets only the digest of a summary: its words are in the conversation. */
function compactionBody({ results, calls, summary }: Compaction): JournalBody<'compaction'> {
  if (summary === undefined) return { results, calls };
  const { through, model, text } = summary;
  return { results, calls, summary: { through, model, digest: sha256(text) } };
}
