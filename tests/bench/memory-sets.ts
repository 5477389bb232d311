import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryRecord } from '../../src/contracts/memory.ts';
import { turnContext } from '../../src/memory/texts.ts';
import { hasQrels, readBeir } from './sets/read-beir.ts';
import { isLongMemEval, readHaystack } from './sets/read-haystack.ts';
import { rowOf } from './sets/row-of.ts';

/** One body of texts and the questions that are asked of it. */
export type Collection = {
  rows: { key: string; id: string; record: MemoryRecord }[];
  questions: { text: string; relevant: string[]; category: string }[];
  /** `relevant` are sessions, and what is found counts by the sessions that it is of */
  bySession?: boolean;
};

export type EvaluationSet = { name: string; collections: Collection[] };

/**
 * The folders of `directory` that hold texts with questions: `corpus.jsonl` and `queries.jsonl`, with
 * `qrels` as BEIR has them or without; one conversation in each JSON file; or LongMemEval's lists of
 * questions, each with its `haystack_sessions`. Others are passed over.
 */
export function readSets(directory: string): EvaluationSet[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .sort()
    .filter((name) => statSync(join(directory, name)).isDirectory())
    .map((name) => ({ name, collections: readCollections(join(directory, name)) }))
    .filter(({ collections }) => collections.length > 0);
}

function readCollections(folder: string): Collection[] {
  if (hasQrels(folder)) return [readBeir(folder)];
  if (existsSync(join(folder, 'corpus.jsonl'))) return [readCorpus(folder)];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown)
    .flatMap((value) => {
      if (isLongMemEval(value)) return value.map(readHaystack);
      return isConversation(value) ? [readConversation(value)] : [];
    });
}

function readCorpus(folder: string): Collection {
  const lines = <Line>(name: string): Line[] =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  return {
    rows: lines<{ id: string; text: string }>('corpus.jsonl').map(({ id, text }) =>
      rowOf(id, { layer: 'assets', text, context: text, kind: 'text', ts: 0 }),
    ),
    questions: lines<{ text: string; relevant: string[] }>('queries.jsonl').map((query) => ({
      ...query,
      category: '',
    })),
  };
}

type Conversation = {
  turns: { id: string; session: number; when: string; speaker: string; text: string }[];
  questions: { question: string; evidence: string[]; category: number }[];
};

function isConversation(value: unknown): value is Conversation {
  if (typeof value !== 'object' || value === null) return false;
  const { turns, questions } = value as Partial<Conversation>;
  return Array.isArray(turns) && Array.isArray(questions);
}

function readConversation({ turns, questions }: Conversation): Collection {
  const rows = turns.map(({ id, session, when, speaker, text }, at) => {
    const ts = timeOf(when);
    const [previous, next] = [turns[at - 1], turns[at + 1]].map((turn) =>
      turn?.session === session ? turn.text : undefined,
    );
    const context = turnContext({
      who: speaker,
      text,
      tsMs: ts,
      ...(previous === undefined ? {} : { previous }),
      ...(next === undefined ? {} : { next }),
    });
    const own = { layer: 'interact' as const, text, context, kind: 'turn', ts };
    return rowOf(id, { ...own, session: String(session) });
  });
  return {
    rows,
    questions: questions
      .filter(({ evidence }) => evidence.length > 0)
      .map(({ question, evidence, category }) => ({
        text: question,
        relevant: evidence,
        category: String(category),
      })),
  };
}

/** Of `1:56 pm on 8 May, 2023`, in UTC, ms since the epoch. */
function timeOf(when: string): number {
  const [, time, date] = /^(.*) on (.*)$/.exec(when) ?? [];
  const ms = Date.parse(`${date} ${time} UTC`);
  if (Number.isNaN(ms)) throw new RangeError(`"${when}" is not a time`);
  return ms;
}
