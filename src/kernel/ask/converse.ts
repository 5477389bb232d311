import type { BudgetMeter } from '../../ask/budget.ts';
import { collectFindings } from '../../ask/collect-evidence.ts';
import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { Evidence } from '../../contracts/evidence.ts';
import type { Mentions } from '../../contracts/intent.ts';
import type { MemoryHit } from '../../contracts/memory.ts';
import type { ChatModel, ModelEvent, ModelRole, ModelToolCall } from '../../contracts/model.ts';
import type { Step } from '../../contracts/plan.ts';
import type { StepResult } from '../../contracts/step-result.ts';
import { createGuard, type Guard } from '../../guard/create-guard.ts';
import { markUntrusted } from '../../guard/mark-untrusted.ts';
import { once } from '../../lib/once.ts';
import { placeOf } from '../../lib/text/passage-text.ts';
import { truncateMiddle } from '../../lib/text/truncate-middle.ts';
import { buildPrompt, type Observation, type PromptRound } from '../../models/build-prompt.ts';
import { toolsForModel } from '../../planner/choose-tools.ts';
import type { AskPorts } from './ask-ports.ts';

/**
 * Tools that a model is shown of all there are. A remote one may find, change, test and commit in
 * one question; a local one chooses badly among many.
 */
const maxTools = { local: 8, remote: 12 };
/** After so many rounds of calls a local model must answer. */
const maxLocalRounds = 2;
const maxAnswerTokens = { local: 160, remote: 4000 };
/** Tokens that a local model reads: a thousand take about ten seconds on a CPU. */
const maxLocalPromptTokens = 1200;

export type Talk = {
  question: string;
  mentions: Mentions;
  role: ModelRole;
  model: ChatModel;
  budget: BudgetMeter;
  /** of the planner's own plan, when it ran first */
  results: readonly StepResult[];
  memory: readonly MemoryHit[];
  nonce: string;
  /** the planner's own plan, its steps numbered from `first`, for when the model's calls bring nothing */
  baseline(first: number): AsyncGenerator<UnstampedEvent, StepResult[], undefined>;
  ports: AskPorts;
};

export type Answer = {
  text: string;
  results: StepResult[];
  /** why the text is not whole */
  cutOff?: string;
};

/**
 * Rounds with a model until it answers: its calls become steps, their results go back to it
 * as marked data.
 *
 * @returns the answer's text and every step's result
 * @throws {KernelError} of the provider, or `resource-exhausted` when the budget is spent
 */
export async function* converse(talk: Talk): AsyncGenerator<UnstampedEvent, Answer, undefined> {
  const { model, budget, ports } = talk;
  const { privacy } = ports.config;
  const guard = createGuard({ remote: model.remote, privacy, question: talk.question });
  const results = [...talk.results];
  const rounds: PromptRound[] = [];
  const tools = once(() => toolsFor(talk, model.remote ? maxTools.remote : maxTools.local, ports));
  let stepCount = results.length;
  for (;;) {
    const wording = talk.role === 'word' || (!model.remote && rounds.length >= maxLocalRounds);
    if (
      wording &&
      collectFindings(results, ports).evidence.length === 0 &&
      talk.role === 'choose'
    ) {
      // A small model must not end up with less evidence than the planner would have found.
      const found = yield* talk.baseline(stepCount + 1);
      results.push(...found);
      stepCount += found.length;
    }
    const reply = yield* nextReply(talk, { guard, wording, rounds, results, tools });
    if (reply.calls.length === 0) return { ...answerOf(reply, model), results };
    budget.takeToolCalls(reply.calls.length);
    const steps = reply.calls.map((call) => stepOf(call, ++stepCount, { guard, ports, reply }));
    yield* tell(guard);
    const plan = ports.makePlan(
      steps.filter(({ refusal }) => refusal === undefined).map(({ step }) => step),
    );
    yield { type: 'plan', ...plan };
    const done = yield* ports.execute(plan);
    if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
    results.push(...done);
    rounds.push({
      text: reply.text,
      calls: reply.calls,
      results: reply.calls.map((call, index) =>
        resultOf(
          call,
          done.find((result) => result.step === steps[index]?.step.id),
          steps[index]?.refusal,
          ports,
        ),
      ),
    });
  }
}

type Reply = {
  text: string;
  calls: ModelToolCall[];
  stop: Extract<ModelEvent, { type: 'end' }>['stop'];
  /** that the reply could have */
  maxTokens: number;
};

async function* nextReply(
  talk: Talk,
  state: {
    guard: Guard;
    wording: boolean;
    rounds: readonly PromptRound[];
    results: readonly StepResult[];
    tools(): ReturnType<typeof toolsFor>;
  },
): AsyncGenerator<UnstampedEvent, Reply, undefined> {
  const { model, budget, ports, question } = talk;
  const maxOutputTokens = model.remote ? maxAnswerTokens.remote : maxAnswerTokens.local;
  const prompt = buildPrompt(
    {
      role: state.wording ? 'word' : 'choose',
      question,
      tools: state.wording ? [] : state.tools(),
      observations: [
        ...ports.given.map(observed),
        ...(state.wording ? observationsOf(state.results, ports) : []),
      ],
      memory: talk.memory,
      rounds: state.wording ? [] : state.rounds,
      // A local model would answer at once and without evidence if it could.
      toolChoice: !model.remote && state.rounds.length === 0 ? 'required' : 'auto',
      nativeTools: model.remote,
      budgetTokens: Math.min(
        model.contextTokens - maxOutputTokens,
        model.remote ? Number.POSITIVE_INFINITY : maxLocalPromptTokens,
      ),
      countTokens: model.countTokens.bind(model),
      nonce: talk.nonce,
      nowMs: ports.clock.nowMs(),
    },
    { mark: markUntrusted, own: state.guard.own, outside: state.guard.outside },
  );
  yield* tell(state.guard);
  budget.takeRound(prompt.tokens);
  const { system, messages, tools, toolChoice } = prompt;
  const request = {
    question: prompt.question,
    system,
    messages,
    tools,
    toolChoice,
    maxOutputTokens,
  };
  const reply: Reply = { text: '', calls: [], stop: 'end', maxTokens: maxOutputTokens };
  const words = state.guard.words();
  const startedMs = ports.clock.nowMs();
  using time = budget.watchTime();
  const signal = AbortSignal.any([ports.signal, time.signal]);
  try {
    for await (const event of model.stream(request, { signal })) {
      if (event.type === 'text') {
        yield* say(words.push(event.delta), reply);
      } else if (event.type === 'tool-call') reply.calls.push(event.call);
      else {
        reply.stop = event.stop;
        budget.addUsage(event.usage);
      }
    }
  } finally {
    ports.scope.modelMs += ports.clock.nowMs() - startedMs;
  }
  yield* say(words.end(), reply);
  yield* tell(state.guard);
  return reply;
}

function* say(text: string, reply: Reply): Generator<UnstampedEvent, void, undefined> {
  if (text === '') return;
  reply.text += text;
  yield { type: 'text', delta: text };
}

/** What the checkpoints did since the last call. */
function* tell(guard: Guard): Generator<UnstampedEvent, void, undefined> {
  for (const notice of guard.notices()) yield { type: 'guard', ...notice };
}

function toolsFor({ question, mentions }: Talk, limit: number, ports: AskPorts) {
  return toolsForModel(
    mentions,
    ports.tools,
    limit,
    ports.likenessesTo(question, mentions.words),
  ).map(({ name, description, inputSchema, plugin }) => ({
    name,
    description,
    inputSchema,
    ...(ports.isBuiltin(plugin) ? {} : { wordsOf: plugin }),
  }));
}

/** Evidence piece by piece, then what is not lines of a file. */
function observationsOf(results: readonly StepResult[], ports: AskPorts): Observation[] {
  const { evidence, listings } = collectFindings(results, ports);
  return [
    ...evidence.map(observed),
    ...listings.map(({ title, text }) => ({ source: title, text })),
  ];
}

function observed(piece: Evidence): Observation {
  return { source: placeOf(piece), text: piece.text };
}

/** A refused call is an error for the model, not for the run. */
function stepOf(
  call: ModelToolCall,
  number: number,
  { guard, ports, reply }: { guard: Guard; ports: AskPorts; reply: Reply },
): { step: Step; refusal?: string } {
  const tool = ports.tools.find(({ name }) => name === call.name);
  const effect = tool?.effect ?? 'external';
  const step = { id: `s${number}`, tool: call.name, input: call.input, needs: [], effect };
  if (tool === undefined) return { step, refusal: `there is no tool "${call.name}"` };
  if (call.fault !== undefined) return { step, refusal: faultOf(call.fault, reply) };
  const checked = guard.call(call, { leavesMachine: effect === 'external' });
  return 'refusal' in checked
    ? { step, refusal: `not called: ${checked.refusal}` }
    : { step: { ...step, input: checked.input } };
}

function faultOf(fault: string, { stop, maxTokens }: Reply): string {
  return stop === 'length'
    ? `not called: your answer reached its ${maxTokens} tokens within this call; write less in one call`
    : `not called: ${fault}`;
}

function resultOf(
  call: ModelToolCall,
  result: StepResult | undefined,
  refusal: string | undefined,
  ports: AskPorts,
): PromptRound['results'][number] {
  const source = `tool ${call.name}`;
  if (result === undefined) {
    return { id: call.id, source, text: refusal ?? 'not called', isError: true, isOurs: true };
  }
  if (result.output !== undefined) {
    const { text } = truncateMiddle(result.output.content, ports.config.maxOutputBytes);
    return { id: call.id, source, text, isError: false };
  }
  const reason = `${result.status}: ${result.error?.message ?? 'no output'}`;
  return { id: call.id, source, text: reason, isError: true };
}

/** The words of a reply without calls, and where they are not whole, why. */
function answerOf(
  { text, stop, maxTokens }: Reply,
  { name }: ChatModel,
): { text: string; cutOff?: string } {
  if (text.trim() !== '') {
    const whole = { text: text.trim() };
    if (stop === 'length')
      return { ...whole, cutOff: `${name} reached its limit of ${maxTokens} tokens` };
    return stop === 'refused' ? { ...whole, cutOff: `${name} refused to go on` } : whole;
  }
  if (stop === 'refused') {
    throw new KernelError('unavailable', `${name} refused to answer`, {
      hint: 'Ask in other words, or see the passages alone with --model none',
    });
  }
  throw new KernelError('unavailable', `${name} gave an empty answer`, {
    hint: 'Ask again, or see the passages alone with --model none',
  });
}
