import type { BudgetMeter } from '../../ask/budget.ts';
import { collectFindings } from '../../ask/collect-evidence.ts';
import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { Evidence } from '../../contracts/evidence.ts';
import type { MemoryHit } from '../../contracts/memory.ts';
import type {
  ChatModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelRole,
  ModelStop,
  ModelTool,
  ModelToolCall,
} from '../../contracts/model.ts';
import { faultOf } from '../../contracts/model-fault.ts';
import type { StepResult } from '../../contracts/step-result.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import type { Guard } from '../../guard/create-guard.ts';
import { markUntrusted } from '../../guard/mark-untrusted.ts';
import { placeOf } from '../../lib/text/passage-text.ts';
import {
  buildPrompt,
  type Observation,
  type Prompt,
  type PromptRound,
  type PromptTurn,
} from '../../models/build-prompt.ts';
import { compactTalk } from '../../models/compact-talk.ts';
import { describeMemory } from '../../models/describe-memory.ts';
import type { AskPorts } from './ask-ports.ts';
import type { TalkBook } from './talk-book.ts';

/** From this share of what a model reads a conversation is made shorter, down to the other one. */
const crowded = 0.8;
const roomy = 0.4;
/** Pauses of a provider in one reply. */
const maxPauses = 5;

const goOn = 'Your answer was cut off. Go on exactly where it stopped, and repeat nothing.';

/** What was done so far, also of a talk that fails. */
export type TalkProgress = {
  /** of every step; those of the planner's own plan when it ran first */
  results: StepResult[];
  /** words of a reply that has not ended yet */
  said: string;
};

export type Reply = {
  text: string;
  calls: ModelToolCall[];
  stop: ModelStop;
  /** that the reply could have */
  maxTokens: number;
  raw?: readonly JsonObject[];
};

export type RepliesOptions = {
  question: string;
  role: ModelRole;
  model: ChatModel;
  budget: BudgetMeter;
  memory: readonly MemoryHit[];
  book: TalkBook;
  progress: TalkProgress;
  ports: AskPorts;
  guard: Guard;
  /** of this question; made shorter where there is no room */
  rounds: PromptRound[];
  tools(): readonly ModelTool[];
};

/** Asks a model for its next reply, as often as it takes. */
export type Replies = {
  next(options: {
    wording: boolean;
    notice: string | undefined;
  }): AsyncGenerator<UnstampedEvent, Reply, undefined>;
};

export function createReplies(options: RepliesOptions): Replies {
  const { model, budget, ports, guard, rounds, book, progress } = options;
  const { reach } = model;
  const nowMs = ports.clock.nowMs();
  const counted = new Map<string, number>();
  const countTokens = (text: string): number => {
    const known = counted.get(text);
    if (known !== undefined) return known;
    const tokens = model.countTokens(text);
    counted.set(text, tokens);
    return tokens;
  };
  let turns: readonly PromptTurn[] = book.turns;
  let isQuestionKept = false;
  let round = 0;

  const keepQuestion = (observations: readonly Observation[]): void => {
    if (isQuestionKept) return;
    isQuestionKept = true;
    const memory = options.memory.map((hit) => ({
      source: describeMemory(hit, nowMs),
      text: hit.text,
    }));
    book.keep({ kind: 'question', text: options.question, memory, observations });
    for (const { source } of [...memory, ...observations]) ports.noteRead(source);
  };

  const render = (
    wording: boolean,
    notice: string | undefined,
    budgetTokens: number,
    talk: { turns: readonly PromptTurn[]; rounds: readonly PromptRound[] },
  ): Prompt => {
    const { words, data } = ports.project;
    const observations = [
      ...data,
      ...ports.given.map(observed),
      ...(wording ? observationsOf(progress, ports) : []),
    ];
    // What a wording model reads is all there is of the question.
    if (!wording || options.role === 'word') keepQuestion(wording ? [] : observations);
    return buildPrompt(
      {
        role: wording ? 'word' : 'choose',
        question: options.question,
        earlier: talk.turns,
        ...(words === '' ? {} : { projectWords: words }),
        ...(notice === undefined ? {} : { notice }),
        tools: wording ? [] : options.tools(),
        observations,
        memory: options.memory,
        rounds: wording ? [] : talk.rounds,
        toolChoice:
          notice !== undefined
            ? 'none'
            : reach.mustCall && rounds.length === 0
              ? 'required'
              : 'auto',
        nativeTools: reach.nativeTools,
        budgetTokens,
        countTokens,
        nonce: book.marker,
        nowMs,
      },
      { mark: markUntrusted, own: guard.own, outside: guard.outside },
    );
  };

  const promptFor = (
    wording: boolean,
    notice: string | undefined,
    limit: number,
  ): { prompt: Prompt; shortened: number } => {
    const whole = Number.POSITIVE_INFINITY;
    // A model that reads this little is given the best of it, and not the beginning.
    if (reach.mustCall) {
      return { prompt: render(wording, notice, limit, { turns, rounds }), shortened: 0 };
    }
    let shortened = 0;
    let prompt = render(wording, notice, whole, { turns, rounds });
    if (prompt.tokens > limit * crowded) {
      const compacted = compactTalk(
        { turns, rounds },
        (talk) => render(wording, notice, whole, talk).tokens <= limit * roomy,
      );
      turns = compacted.turns;
      rounds.splice(0, rounds.length, ...compacted.rounds);
      shortened = compacted.shortened;
      prompt = render(wording, notice, whole, { turns, rounds });
    }
    if (prompt.tokens > limit) prompt = render(wording, notice, limit, { turns, rounds });
    return { prompt, shortened };
  };

  async function* next({
    wording,
    notice,
  }: {
    wording: boolean;
    notice: string | undefined;
  }): AsyncGenerator<UnstampedEvent, Reply, undefined> {
    const reply: Reply = { text: '', calls: [], stop: 'end', maxTokens: 0 };
    let behind: ModelMessage[] = [];
    let limit = reach.promptTokens;
    let said = '';
    const tries = { empty: 1, overflow: 1, goOn: reach.mustCall ? 0 : 1, paused: maxPauses };
    for (;;) {
      const { prompt, shortened } = promptFor(wording, notice, limit);
      yield* tell(guard);
      const covered = budget.takeRound(prompt.tokens);
      reply.maxTokens = Math.min(reach.answerTokens, covered);
      const { system, messages, tools, toolChoice, question } = prompt;
      const request: ModelRequest = {
        question,
        system,
        messages: [...messages, ...behind],
        tools,
        toolChoice,
        maxOutputTokens: reply.maxTokens,
      };
      const { tokens, leftOut } = prompt;
      book.keep({
        ...{ kind: 'prompt', tokens, leftOut, shortened },
        ...{ messages: request.messages.length, tools: tools.length },
      });
      if (shortened > 0) {
        ports.warn(
          `the conversation was made shorter to fit: ${shortened} older results or rounds`,
        );
      }
      const part: Reply = { text: '', calls: [], stop: 'end', maxTokens: reply.maxTokens };
      try {
        yield* read(request, part);
      } catch (thrown) {
        reply.text += part.text;
        const kind = faultOf(thrown)?.kind;
        if (kind === 'empty' && reply.text === '' && tries.empty > 0) {
          tries.empty -= 1;
          continue;
        }
        if (kind === 'overflow' && reply.text === '' && tries.overflow > 0) {
          tries.overflow -= 1;
          limit = Math.floor(Math.min(limit, prompt.tokens) * roomy);
          continue;
        }
        if (part.text.trim() !== '' && kind !== undefined && tries.goOn > 0) {
          tries.goOn -= 1;
          ports.warn(`${KernelError.from(thrown, 'unavailable').message}; it is asked to go on`);
          said += part.text;
          behind = continued(said);
          continue;
        }
        throw thrown;
      }
      reply.text += part.text;
      reply.calls.push(...part.calls);
      reply.stop = part.stop;
      if (part.stop === 'paused' && tries.paused > 0) {
        tries.paused -= 1;
        behind = [...behind, pausedMessage(part)];
        continue;
      }
      const isCut = part.stop === 'length' && part.calls.length === 0 && part.text.trim() !== '';
      if (isCut && tries.goOn > 0) {
        tries.goOn -= 1;
        said += part.text;
        behind = continued(said);
        continue;
      }
      if (part.raw !== undefined && behind.length === 0) reply.raw = part.raw;
      return reply;
    }
  }

  /** One request, its words told as they come. */
  async function* read(
    request: ModelRequest,
    part: Reply,
  ): AsyncGenerator<UnstampedEvent, void, undefined> {
    const words = guard.words();
    const startedMs = ports.clock.nowMs();
    using time = budget.watchTime();
    const signal = AbortSignal.any([ports.signal, time.signal]);
    round += 1;
    try {
      for await (const event of answered(request, signal)) {
        if (event.type === 'text') yield* say(words.push(event.delta), part);
        else if (event.type === 'tool-call') part.calls.push(event.call);
        else {
          part.stop = event.stop;
          if (event.raw !== undefined) part.raw = event.raw;
          const usd = budget.addUsage(event.usage);
          ports.addSpending(usd ?? 0);
          yield { type: 'usage', round, ...event.usage, spent: spentOf(budget) };
        }
      }
    } finally {
      ports.scope.modelMs += ports.clock.nowMs() - startedMs;
      for (const text of budget.warnings()) ports.warn(text);
    }
    yield* say(words.end(), part);
    yield* tell(guard);
  }

  /** Events of the model, or those of a reply to the very same request. */
  async function* answered(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const kept = await ports.replies.find(model, request, {
      marker: book.marker,
      hasEffects: ports.hasEffects(progress.results),
      isReading: (name) => ports.isReading(name),
    });
    if (kept.events !== undefined) {
      yield* kept.events;
      return;
    }
    const events: ModelEvent[] = [];
    for await (const event of model.stream(request, { signal })) {
      events.push(event);
      yield event;
    }
    kept.keep(events);
  }

  function* say(text: string, part: Reply): Generator<UnstampedEvent, void, undefined> {
    if (text === '') return;
    part.text += text;
    progress.said += text;
    yield { type: 'text', delta: text };
  }

  function continued(text: string): ModelMessage[] {
    return [
      { role: 'assistant', text: guard.own(text) },
      { role: 'user', text: goOn },
    ];
  }

  return { next };
}

/** What the checkpoints did since the last call. */
export function* tell(guard: Guard): Generator<UnstampedEvent, void, undefined> {
  for (const notice of guard.notices()) yield { type: 'guard', ...notice };
}

function pausedMessage({ text, raw }: Reply): ModelMessage {
  return { role: 'assistant', text, ...(raw === undefined ? {} : { raw }) };
}

function spentOf(budget: BudgetMeter): Extract<UnstampedEvent, { type: 'usage' }>['spent'] {
  const { usd, ...spent } = budget.spent();
  return usd === undefined ? spent : { ...spent, usd };
}

/** Evidence piece by piece, then what is not lines of a file. */
function observationsOf({ results }: TalkProgress, ports: AskPorts): Observation[] {
  const { evidence, listings } = collectFindings(results, ports);
  return [
    ...evidence.map(observed),
    ...listings.map(({ title, text }) => ({ source: title, text })),
  ];
}

function observed(piece: Evidence): Observation {
  return { source: placeOf(piece), text: piece.text };
}
