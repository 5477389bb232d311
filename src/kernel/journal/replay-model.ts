import { createBudget } from '../../ask/budget.ts';
import type { RunSteps, Turn } from '../../contracts/agent.ts';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { JournalBody, JournalEvent } from '../../contracts/journal.ts';
import { kernelPlugin, rememberTool, skillTool, taskTool } from '../../contracts/kernel-tools.ts';
import type { ChatModel, ModelEvent } from '../../contracts/model.ts';
import type { ReplayedStep, ReplayReport } from '../../contracts/output/parse-journal.ts';
import type { Step, StepResult } from '../../contracts/plan.ts';
import type { RunRow } from '../../contracts/store.ts';
import { noCompaction, type TalkPart } from '../../contracts/talk.ts';
import type { Json, Tool } from '../../contracts/tool.ts';
import { firstDifference } from '../../journal/replay-run.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { noReplies } from '../../models/reply-cache.ts';
import { converse } from '../../talk/converse.ts';
import { newMarker } from '../../talk/talk-book.ts';
import type { TalkPorts } from '../../talk/talk-ports.ts';
import { noProjectWords } from '../ask/project-words.ts';

export type ModelReplayPorts = {
  config: Config;
  clock: Clock;
  /** of plugins */
  tools: readonly Tool[];
  isBuiltin(plugin: string): boolean;
  onlyReads(step: Step): boolean;
  signal: AbortSignal;
};

type Recorded = JournalBody<'step'> & { step: string };

/** A model that is there, takes all tools, and is never asked. */
const reach = {
  ...{ promptTokens: 1_000_000, answerTokens: 8_192, tools: 100 },
  ...{ nativeTools: true, mustCall: false },
};

/**
 * Goes through the rounds of a run again with the recorded replies of its model and the recorded
 * results of its steps, and compares the calls that come of them. No model is asked and no tool runs.
 *
 * @param parts of the run's conversation
 * @throws {KernelError} `not-found` where the replies are not recorded
 */
export async function replayModel(
  run: RunRow,
  { events, parts }: { events: readonly JournalEvent[]; parts: readonly TalkPart[] },
  ports: ModelReplayPorts,
): Promise<ReplayReport> {
  const replies = parts.flatMap((part) => (part.kind === 'reply' ? [part] : []));
  if (replies.length === 0) throw noReply(run);
  const recorded = new Map(stepsOf(events).map((step) => [step.step, step]));
  const calls = replies.flatMap(({ calls }) => calls);
  const made = new Map<string, ReplayedStep>();
  const refused = new Map<string, string>();

  const runSteps: RunSteps = async function* (steps, { onResult } = {}) {
    yield* [];
    return steps.map((step) => {
      const was = recorded.get(step.id);
      made.set(step.id, compared(step, was, refusalOf(parts, calls, step.id)));
      const result = resultOf(step, was);
      onResult?.(result);
      return result;
    });
  };
  const keep = (part: TalkPart): void => {
    if (part.kind === 'result' && part.isOurs) refused.set(part.call, part.text);
  };
  let stopped: string | undefined;
  try {
    const talk = converse({
      turn: turnOf(run, runSteps, ports),
      ...{ role: 'choose', memory: [], ports: talkPorts(run, ports) },
      model: replaying(run.model, replies),
      book: { ...bookOf(parts), keep },
      baseline: async function* () {
        yield* [];
        return [];
      },
    });
    for (;;) if ((await talk.next()).done) break;
  } catch (thrown) {
    if (ports.signal.aborted) throw thrown;
    stopped = KernelError.from(thrown, 'internal').message;
  }
  for (const [id, was] of recorded) {
    if (made.has(id)) continue;
    const call = calls[Number(id.slice(1)) - 1];
    const why = refused.get(call?.id ?? '') ?? stopped;
    made.set(id, {
      ...{ step: id, tool: was.tool, outcome: 'different', calls: 0 },
      differences: [{ at: 'call', field: 'tool', recorded: was.tool, replayed: null }],
      ...(why === undefined ? {} : { why }),
    });
  }
  const number = ({ step }: ReplayedStep): number => Number(step.slice(1));
  const steps = [...made.values()].toSorted((one, other) => number(one) - number(other));
  return { run: run.id, alike: steps.every(({ outcome }) => outcome === 'alike'), steps };
}

/** Calls of the model; what they called in turn stands below them, and what was never run is no step. */
function stepsOf(events: readonly JournalEvent[]): Recorded[] {
  const last = new Map<string, Recorded>();
  for (const event of events) {
    if (event.kind !== 'step' || event.body === undefined) continue;
    const { step = '', body } = event;
    if (/^s\d+$/.test(step)) last.set(step, { ...body, step });
  }
  return [...last.values()];
}

function compared(step: Step, was: Recorded | undefined, before: string | undefined): ReplayedStep {
  const { id, tool, input } = step;
  const head = { step: id, tool, calls: 0 };
  const different = (field: string, recorded: unknown, replayed: unknown): ReplayedStep => ({
    ...head,
    outcome: 'different',
    differences: [{ at: 'call', field, recorded, replayed }],
  });
  if (was === undefined) return different('tool', before ?? null, tool);
  if (was.tool !== tool) return different('tool', was.tool, tool);
  if (was.isRedacted === true) {
    const why = 'its input held a secret, which is not kept';
    return { ...head, outcome: 'not-replayed', differences: [], why };
  }
  const found = firstDifference(was.input as Json, input as Json);
  if (found === undefined) return { ...head, outcome: 'alike', differences: [] };
  return different(`input${found.path}`, found.left, found.right);
}

/** Why a call was not made then. */
function refusalOf(
  parts: readonly TalkPart[],
  calls: readonly { id: string }[],
  step: string,
): string | undefined {
  const id = calls[Number(step.slice(1)) - 1]?.id;
  const told = parts.find((part) => part.kind === 'result' && part.call === id && part.isOurs);
  return told?.kind === 'result' ? told.text : undefined;
}

/** What a step came to then; the words that are not kept change no call. */
function resultOf(step: Step, was: Recorded | undefined): StepResult {
  const shared = {
    ...{ step: step.id, tool: step.tool, needs: [], input: step.input },
    ...{ attempts: 1, durationMs: 0, hostCalls: [] },
  };
  const { status = 'ok', content, summary = '' } = was ?? {};
  if (status === 'ok')
    return { ...shared, status, output: { content: content ?? summary, summary } };
  const error = new KernelError('tool-failed', summary);
  return { ...shared, status: status as StepResult['status'], error };
}

function replaying(
  name: string,
  replies: readonly Extract<TalkPart, { kind: 'reply' }>[],
): ChatModel {
  const left = [...replies];
  return {
    ...{ name, remote: true, contextTokens: 2_000_000, price: undefined },
    reach: { ...reach, rounds: replies.length + 1 },
    digest: async () => name,
    countTokens: (text) => Math.ceil(text.length / 4),
    stream: async function* (): AsyncGenerator<ModelEvent, void, undefined> {
      const reply = left.shift();
      if (reply === undefined)
        throw new KernelError('unavailable', 'the record holds no further reply of the model');
      if (reply.text !== '') yield { type: 'text', delta: reply.text };
      for (const call of reply.calls) yield { type: 'tool-call', call };
      const stop = reply.calls.length > 0 ? 'tool-calls' : 'end';
      yield { type: 'end', stop, usage: { inputTokens: 0, outputTokens: 0 } };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function turnOf({ question }: RunRow, run: RunSteps, { config, clock }: ModelReplayPorts): Turn {
  const nothing = { names: [], url: undefined, quoted: undefined, number: undefined };
  const wants = { wantsChange: false, wantsCommit: false };
  const mentions = {
    ...{ text: question, words: [], goal: [], paths: [], ...nothing, ...wants },
    ...{ wantsWhole: false, wantsSupported: false },
  };
  return {
    ...{ question, run, results: [], said: '' },
    intent: { kind: 'ask', question, mentions, readings: [{ kind: 'how' }] },
    recalling: Promise.resolve({ sure: [], perhaps: [] }),
    // Tokens and time are not those of then.
    budget: createBudget({ ...config.budget, tokens: Number.MAX_SAFE_INTEGER }, clock),
  };
}

function talkPorts(
  row: RunRow,
  { config, clock, signal, onlyReads, isBuiltin, ...ports }: ModelReplayPorts,
): TalkPorts {
  const tools = [...ports.tools, rememberTool, taskTool, skillTool];
  const isReading = (name: string): boolean =>
    ['pure', 'read'].includes(tools.find((tool) => tool.name === name)?.effect ?? '');
  return {
    run: { id: row.id, session: row.session ?? '', workspace: row.project, clock, signal },
    say: { warn: () => {}, warnOnce: () => {}, askYesNo: undefined },
    tools: {
      ...{ tools, planTools: tools, onlyReads, isReading },
      isBuiltin: (plugin) => plugin === kernelPlugin || isBuiltin(plugin),
      changedPaths: () => [],
      likenessesTo: () => undefined,
    },
    ...{
      given: [],
      images: [],
      project: noProjectWords,
      privacy: config.privacy,
      replies: noReplies,
    },
    maxOutputBytes: config.maxOutputBytes,
    heldSecrets: async () => [],
    noteRead: () => {},
    addSpending: () => {},
    addModelMs: () => {},
  };
}

function bookOf(parts: readonly TalkPart[]) {
  const begin = parts.find((part) => part.kind === 'begin');
  return {
    ...{ marker: begin?.marker ?? newMarker(), tools: begin?.tools ?? [], turns: [] },
    ...{ compaction: noCompaction, runs: new Set<string>() },
  };
}

function noReply({ id, model }: RunRow): KernelError {
  const why =
    model === 'none' ? 'no model was asked in it' : 'they were forgotten, pruned or never came';
  return new KernelError('not-found', `run ${id} holds no replies of a model: ${why}`, {
    hint: `Replay its tools alone: cuervo runs replay ${id}`,
  });
}
