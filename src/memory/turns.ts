import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Run, Say } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import {
  everyProject,
  type Memory,
  type MemoryHit,
  type MemoryQuery,
  type Recalled,
} from '../contracts/memory.ts';
import type { MemorySources, MemoryUses } from '../contracts/memory-store.ts';
import type { Store } from '../contracts/store.ts';
import { recalledHits } from './search/recalled-hits.ts';
import { turnContext } from './texts.ts';

/** Earlier turns that an answer may show. */
const maxRecalled = 3;
/** Messages of a continued session that the model sees. */
const maxHistory = 6;

export type TurnPorts = {
  run: Run;
  say: Say;
  store: Pick<Store, 'messages' | 'addMessage'> & {
    readonly unwritable?: KernelError | undefined;
    readonly memoryUses: MemoryUses;
    readonly memorySources: MemorySources;
  };
  memory: Memory;
};

/**
 * Earlier turns and facts that a question speaks of; none, and said so, where memory fails.
 *
 * @param about.asOf the time that the question asks about; `text` is the question without it
 */
export async function recall(
  about: Pick<MemoryQuery, 'text' | 'asOf'>,
  { run, say, store, memory }: TurnPorts,
): Promise<Recalled> {
  const { text } = about;
  const { signal, workspace } = run;
  try {
    const query = {
      ...about,
      limit: 32,
      projects: [workspace, everyProject],
    };
    const hits = await memory.search(query, { signal });
    // Files read into memory never crowd out earlier turns.
    const isCrowded = hits.some(({ layer }) => layer === 'assets');
    const said = isCrowded
      ? [
          ...(await memory.search({ ...query, layer: 'interact' }, { signal })),
          ...(await memory.search({ ...query, layer: 'insights' }, { signal })),
        ]
      : [];
    const found = new Set(hits.map(({ id }) => id));
    const all = [...hits, ...said.filter(({ id }) => !found.has(id))];
    // Files of the index are evidence, at the lines that they have now.
    const isFile = ({ layer, source }: MemoryHit) =>
      layer === 'assets' &&
      source !== undefined &&
      store.memorySources.get(workspace, source)?.isIndexed === true;
    const turns = all.filter((hit) => !isFile(hit) && stands(hit, workspace));
    return recalledHits(turns, text, maxRecalled);
  } catch (thrown) {
    const { message } = KernelError.from(thrown, 'internal');
    if (!signal.aborted) say.warn(`earlier turns could not be searched: ${message}`);
    return { sure: [], perhaps: [] };
  }
}

/** Begins a tag of an answer that names a file that the answer used. */
const madeOf = 'of:';

/** Whether all files that an answer used are unchanged since. */
function stands({ tags, ts }: MemoryHit, workspace: string): boolean {
  const paths = tags.flatMap((tag) => (tag.startsWith(madeOf) ? [tag.slice(madeOf.length)] : []));
  return paths.every((path) => changedMs(workspace, path) <= ts);
}

/** @returns Infinity where there is no such file */
function changedMs(workspace: string, path: string): number {
  return statSync(join(workspace, path), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

/**
 * Messages of the continued session as hits, for runs whose conversation with a model was not kept.
 */
export function sessionMemory(
  { run: { session, workspace }, store }: TurnPorts,
  kept: ReadonlySet<string>,
): MemoryHit[] {
  const factors = { fused: 1, layerWeight: 1, decay: 1 };
  return store
    .messages(session)
    .filter(({ run }) => !kept.has(run))
    .slice(-maxHistory)
    .map((message, index) => ({
      id: `${message.run}-${index}`,
      layer: 'interact',
      score: 1,
      text: message.text,
      kind: message.role === 'user' ? 'question' : 'answer',
      tags: [],
      project: workspace,
      session,
      run: message.run,
      ts: message.ts,
      factors,
    }));
}

/** Rows that answers use again and again are worth keeping; see the job `promote_decisions`. */
export function countUses(recalled: readonly MemoryHit[], { store, run, say }: TurnPorts): void {
  if (recalled.length === 0) return;
  try {
    store.memoryUses.count(recalled, run.clock.nowMs(), run.id);
  } catch (thrown) {
    say.warn(`the use of memory was not counted: ${KernelError.from(thrown, 'internal').message}`);
  }
}

/** What a person typed stays in the session even without a result. */
export function keepQuestion(text: string, { store, run, say }: TurnPorts): void {
  try {
    store.addMessage({ ...messageOf(run), role: 'user', text });
  } catch (thrown) {
    say.warn(`this turn was not remembered: ${KernelError.from(thrown, 'internal').message}`);
  }
}

/**
 * Writes the turn to the session and to memory. A full disk is a warning; the answer stays valid.
 *
 * @param said.paths of its evidence
 */
export async function keepTurn(
  question: string,
  said: { text: string; paths: readonly string[] } | undefined,
  { store, run, say, memory }: TurnPorts,
): Promise<void> {
  const answer = said?.text;
  const message = messageOf(run);
  const record = (
    text: string,
    kind: 'question' | 'answer',
    beside: { previous?: string; next?: string },
  ) => ({
    ...{ layer: 'interact' as const, text, kind, project: run.workspace, ...message },
    context: turnContext({
      ...{ who: kind === 'question' ? 'user' : 'cuervo', text, tsMs: message.ts, ...beside },
    }),
    tags: saysDecision(text) ? ['decision'] : [],
  });
  try {
    store.addMessage({ ...message, role: 'user', text: question });
    const records = [record(question, 'question', answer === undefined ? {} : { next: answer })];
    if (answer !== undefined) {
      store.addMessage({ ...message, role: 'assistant', text: answer });
      const kept = record(answer, 'answer', { previous: question });
      const files = new Set(
        said?.paths.filter((path) => changedMs(run.workspace, path) < Infinity),
      );
      records.push({
        ...kept,
        tags: [...kept.tags, ...Array.from(files, (path) => madeOf + path)],
      });
    }
    // A run that keeps nothing has said so.
    if (store.unwritable === undefined) await memory.remember(records, { signal: run.signal });
  } catch (thrown) {
    if (run.signal.aborted) throw KernelError.from(run.signal.reason, 'canceled');
    say.warn(`this turn was not remembered: ${KernelError.from(thrown, 'internal').message}`);
  }
}

function messageOf({ id, session, clock }: Run): { session: string; run: string; ts: number } {
  return { session, run: id, ts: clock.nowMs() };
}

/** Phrases that people use to state a decision, in the past or present, but not as a question. */
const decided =
  /\b(?:we|i)(?:'ve| have|'ll| will)?\s+(?:now\s+|finally\s+)?(?:decided|agreed|settled on|chose|opted for|are going with|go with|will use)\b|\b(?:decision|decided|agreed|conclusion):\s/i;
const sentences = /(?<=[.!?])\s+|\n+/;

/**
 * Whether a turn states a decision. Decisions are kept longer than the day that turns are kept.
 */
export function saysDecision(text: string): boolean {
  return text
    .split(sentences)
    .some((sentence) => decided.test(sentence) && !/\?\s*$/.test(sentence));
}
