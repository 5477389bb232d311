import { turnContext } from '../../../src/memory/texts.ts';
import type { Collection } from '../memory-sets.ts';
import { rowOf } from './row-of.ts';

/** A question of LongMemEval with the sessions among which the answer lies. */
type Haystack = {
  question: string;
  question_type?: string;
  haystack_session_ids: string[];
  /** `2023/05/20 (Sat) 02:21`, UTC */
  haystack_dates: string[];
  haystack_sessions: { role: string; content: string }[][];
  answer_session_ids: string[];
};

export function isLongMemEval(value: unknown): value is Haystack[] {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof first === 'object' && first !== null && 'haystack_sessions' in first;
}

/** One question, and its sessions turn by turn; what is found counts by its session. */
export function readHaystack(haystack: Haystack): Collection {
  const { question, question_type: category = '', answer_session_ids: relevant } = haystack;
  const rows = haystack.haystack_sessions.flatMap((turns, at) => {
    const session = haystack.haystack_session_ids[at] ?? String(at);
    const ts = timeOf(haystack.haystack_dates[at] ?? '');
    return turns.map(({ role, content: text }, place) => {
      const [previous, next] = [turns[place - 1]?.content, turns[place + 1]?.content];
      const beside = {
        ...(previous === undefined ? {} : { previous }),
        ...(next === undefined ? {} : { next }),
      };
      const context = turnContext({ who: role, text, tsMs: ts, ...beside });
      const own = { layer: 'interact' as const, text, context, kind: 'turn', ts, session };
      return rowOf(`${session} ${place}`, own);
    });
  });
  return { rows, questions: [{ text: question, relevant, category }], bySession: true };
}

function timeOf(date: string): number {
  const [, day, time] = /^(\d{4}\/\d{2}\/\d{2}) \(\w+\) (\d{2}:\d{2})$/.exec(date) ?? [];
  const ms = Date.parse(`${day?.replaceAll('/', '-')}T${time}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`"${date}" is not a time`);
  return ms;
}
