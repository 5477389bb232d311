import type { SessionEntry } from '../../contracts/output/parse-session.ts';
import type { MessageRow, Store, TalkRow } from '../../contracts/store.ts';

/** An entry, and how many messages and parts of the session come up to it. */
export type PlacedEntry = SessionEntry & { end: { messages: number; parts: number } };

/**
 * The entries of a session in order, numbered from 1: with a model each reply, call and result,
 * else questions and answers.
 */
export function sessionEntries(
  store: Pick<Store, 'messages' | 'talk'>,
  session: string,
): PlacedEntry[] {
  const messages = store.messages(session);
  const parts = store.talk(session);
  const places = new Map(parts.map((part, index) => [part, index + 1]));
  const entries: PlacedEntry[] = [];
  let end = { messages: 0, parts: 0 };
  const add = (run: string, ts: number, entry: Omit<SessionEntry, 'number' | 'run' | 'ts'>) => {
    const number = entries.length + 1;
    entries.push({ number, run, ts, ...entry, end });
  };
  // Ids of runs grow with time.
  for (const run of [...new Set([...messages, ...parts].map((row) => row.run))].toSorted()) {
    const said = messages.filter((row) => row.run === run);
    const done = parts.filter((row) => row.run === run);
    const before = end;
    const lastPart = parts.findLastIndex((row) => row.run === run);
    const partsEnd = lastPart < 0 ? before.parts : lastPart + 1;
    end = { messages: before.messages + questionsOf(said).length, parts: before.parts };
    addQuestion(said, done);
    addParts(done);
    end = { messages: before.messages + said.length, parts: partsEnd };
    const [answer] = said.filter(({ role }) => role === 'assistant');
    const isAnswered = done.some(({ part }) => part.kind === 'reply' && part.calls.length === 0);
    if (answer !== undefined && !isAnswered) {
      add(run, answer.ts, { role: 'assistant', text: answer.text });
    }
    // The last entry of a run ends at the end of the whole run.
    const last = entries.at(-1);
    if (last?.run === run) last.end = end;
  }
  return entries;

  function addQuestion(said: readonly MessageRow[], done: readonly TalkRow[]): void {
    const at = done.findIndex(({ part }) => part.kind === 'question');
    const asked = done[at];
    if (asked?.part.kind === 'question') {
      end = { ...end, parts: places.get(asked) ?? end.parts };
      add(asked.run, asked.ts, { role: 'user', text: asked.part.text });
      return;
    }
    const [message] = questionsOf(said);
    if (message !== undefined) add(message.run, message.ts, { role: 'user', text: message.text });
  }

  function addParts(done: readonly TalkRow[]): void {
    for (const row of done) {
      const { run, ts, part } = row;
      end = { ...end, parts: places.get(row) ?? end.parts };
      if (part.kind === 'reply') {
        const calls = part.calls.map(({ id, name, input }) => ({ id, tool: name, input }));
        add(run, ts, {
          role: 'assistant',
          text: part.text,
          ...(calls.length === 0 ? {} : { calls }),
        });
      } else if (part.kind === 'result') {
        const { call, source, text, isError } = part;
        add(run, ts, { role: 'tool', text, call, source, ...(isError ? { isError } : {}) });
      } else if (part.kind === 'stop') {
        add(run, ts, { role: 'assistant', text: '', stop: part.stop });
      }
    }
  }
}

function questionsOf(said: readonly MessageRow[]): MessageRow[] {
  return said.filter(({ role }) => role === 'user');
}
