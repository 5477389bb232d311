import { collectFindings } from '../ask/collect-evidence.ts';
import { pathsIn } from '../ask/paths-in.ts';
import type { Events, Turn } from '../contracts/agent.ts';
import { rememberTool, skillTool, taskTool } from '../contracts/kernel-tools.ts';
import type { MemoryHit } from '../contracts/memory.ts';
import type { ChatModel, ModelRole, ModelTool } from '../contracts/model.ts';
import type { StepResult } from '../contracts/plan.ts';
import { modelError, type StopReason } from '../contracts/talk.ts';
import type { Tool } from '../contracts/tool.ts';
import { createGuard } from '../guard/create-guard.ts';
import { secretsOf } from '../guard/scan-text.ts';
import { once } from '../lib/memo.ts';
import type { PromptRound } from '../models/build-prompt.ts';
import { mendPlan, nothingMended } from '../planner/mend-plan.ts';
import { toolsForModel } from '../questions/tools/choose-tools.ts';
import { createCallsInVain, finderTools, nestedCalls, planCalls, resultOf } from './call-steps.ts';
import { createReplies } from './next-reply.ts';
import { guardedBook, type TalkBook } from './talk-book.ts';
import { type Reply, type TalkPorts, tell } from './talk-ports.ts';

export type Talk = {
  turn: Turn;
  role: ModelRole;
  model: ChatModel;
  memory: readonly MemoryHit[];
  book: TalkBook;
  /**
   * runs the planner's own plan, with steps numbered from `first`, if the model's calls find
   * nothing
   */
  baseline(first: number): Events<readonly StepResult[]>;
  ports: TalkPorts;
};

export type Spoken = {
  text: string;
  stop: Extract<StopReason, 'answered' | 'cut-off' | 'refused'>;
  /** why the text is not whole */
  cutOff?: string;
  /** the model whose words these are, where it is another one than was asked */
  by?: string;
};

/**
 * A prompt with so many tokens has room for the pinned tools; with less, models search for them.
 */
const roomForPinned = 16_000;
/** Tools of the kernel that models which call tools by themselves always have. */
const pinned: readonly string[] = [taskTool.name, skillTool.name];

const lastRound =
  'This is the last round of this question. Answer now with what is known; no tool is called any more.';
const inVain =
  'The same call failed again. No tool is called any more. Answer now with what was found.';
const lastCalls = 'No further tool call of this question is allowed. Answer now from the data.';

/**
 * Rounds with a model until it answers: its calls become steps, their results go back to it
 * as marked data. Every reply and result is kept before anything follows from it.
 *
 * @throws {KernelError} of the provider, or `resource-exhausted` when the budget is spent
 */
export async function* converse(asked: Talk): Events<Spoken> {
  const { model, turn, ports } = asked;
  const { budget } = turn;
  const { privacy, maxOutputBytes } = ports;
  const guard = createGuard({ remote: model.remote, privacy, question: turn.question });
  const book = guardedBook(asked.book, guard);
  const talk: Talk = { ...asked, book };
  const rounds: PromptRound[] = [];
  const tools = once(() => toolsFor(talk));
  const replies = createReplies({ ...talk, guard, rounds, tools, paths: () => pathsOf(talk) });
  const nested = nestedCalls(guard, ports);
  // The model said that no tool fits, or could not choose.
  let abstains = false;
  let stepCount = turn.results.length;
  const isInVain = createCallsInVain();
  let goesInCircles = false;
  for (;;) {
    const wording = talk.role === 'word' || abstains || rounds.length >= model.reach.rounds;
    // The planner's findings also give the files that a small model can name in a call.
    const isFirst = model.reach.mustCall && rounds.length === 0 && !abstains;
    if (
      (wording || isFirst) &&
      collectFindings(turn.results, ports.tools).evidence.length === 0 &&
      talk.role === 'choose'
    ) {
      // A small model must not end up with less evidence than the planner would have found.
      const found = yield* talk.baseline(stepCount + 1);
      turn.results.push(...found);
      stepCount += found.length;
    }
    const isLast = rounds.length > 0 && budget.roundsLeft() <= 1;
    const isCovered = budget.toolCallsLeft() > 0;
    const notice = isLast ? lastRound : goesInCircles ? inVain : isCovered ? undefined : lastCalls;
    const reply = yield* replies.next({ wording, notice });
    if (!wording && model.reach.mustCall && reply.calls.length === 0 && reply.text === '') {
      abstains = true;
      continue;
    }
    if (reply.calls.length === 0) {
      const answer = answerOf(reply, model);
      book.keep({ kind: 'reply', text: answer.text, calls: [] });
      return answer;
    }
    book.keep({ kind: 'reply', text: reply.text, calls: reply.calls });
    turn.said = '';
    // Their results would not be shown.
    if (isLast) budget.takeRound(0);
    if (goesInCircles) {
      throw modelError(
        { kind: 'refused' },
        `${model.name} made a call that failed again and again, and no other`,
        'Ask in other words, or see the passages alone with --model none',
      );
    }
    const planned = planCalls(reply.calls, {
      first: stepCount + 1,
      guard,
      tools: ports.tools,
      covered: budget.toolCallsLeft(),
      cutAt: reply.stop === 'length' ? reply.maxTokens : undefined,
    });
    stepCount += planned.length;
    yield* tell(guard);
    const steps = planned.flatMap(({ step, refusal, answer }) =>
      refusal === undefined && answer === undefined ? [step] : [],
    );
    const run: Turn['run'] = (asked, how) => turn.run(asked, { ...how, nested });
    const done = yield* run(steps, {
      onResult: (result) => {
        turn.results.push(result);
        keepResult(result);
      },
    });
    // A model with few rounds has no round left to correct its call, so it is corrected here.
    const { added, mended } = model.reach.mustCall
      ? yield* mendPlan(done, { budget, run }, ports, stepCount + 1)
      : nothingMended;
    stepCount += added.length;
    turn.results.push(...added);
    const results = planned.map((each) => {
      const own = done.find(({ step }) => step === each.step.id);
      const better = mended.get(each.step.id);
      const told = resultOf(each, better ?? own, maxOutputBytes);
      if (own === undefined || better !== undefined) keep(told);
      if (told.isOurs !== true) ports.noteRead(told.source);
      return told;
    });
    goesInCircles = isInVain({ calls: reply.calls, results });
    const { raw } = reply;
    rounds.push({
      text: reply.text,
      calls: reply.calls,
      results,
      ...(raw === undefined ? {} : { raw }),
    });

    function keepResult(result: StepResult): void {
      const each = planned.find(({ step }) => step.id === result.step);
      // Before the cut, which may fall inside a secret.
      guard.know(secretsOf(result.output?.content ?? ''));
      if (each !== undefined) keep(resultOf(each, result, maxOutputBytes));
    }
  }

  function keep({ id, source, text, isError, isOurs = false }: PromptRound['results'][number]) {
    book.keep({ kind: 'result', call: id, source, text, isError, isOurs });
  }
}

/**
 * The tools of the conversation's beginning, so that the provider's cache stays valid; then, for a
 * question that wants a change, the tools that fit it best.
 */
function toolsFor({ turn, model, book, ports: { tools } }: Talk): readonly ModelTool[] {
  const { question, intent } = turn;
  const { mentions } = intent;
  const limit = model.reach.tools;
  // No memory tool for a model that must choose a tool: it would keep facts that nobody told.
  const isCallable = ({ name }: Tool): boolean =>
    // `run_script` stands for both.
    !name.startsWith('script.') &&
    !pinned.includes(name) &&
    (model.reach.nativeTools || name !== rememberTool.name);
  const callable = tools.tools.filter(isCallable);
  const kept = book.tools.flatMap((name) => callable.find((tool) => tool.name === name) ?? []);
  const chosen = toolsForModel(
    mentions,
    callable,
    limit,
    tools.likenessesTo(question, mentions.words),
  );
  // More tools would change the beginning of the prompt; the model can search for others.
  const isMore = mentions.wantsChange || mentions.wantsCommit;
  const wanted = kept.length === 0 ? chosen : isMore ? chosen.slice(0, limit / 2) : [];
  const all = [...kept, ...wanted.filter((tool) => !kept.includes(tool))].slice(0, 2 * limit);
  const hasRoom = model.reach.nativeTools && model.reach.promptTokens >= roomForPinned;
  const own = hasRoom ? tools.tools.filter(({ name }) => pinned.includes(name)) : [];
  const offered = [...own, ...all].map(({ name, description, inputSchema, plugin, effect }) => ({
    name,
    description,
    inputSchema,
    ...(tools.isBuiltin(plugin) ? {} : { wordsOf: plugin }),
    ...(effect === 'read' ? { onlyReads: true } : {}),
  }));
  const isRest = callable.length > all.length && model.reach.nativeTools;
  if (kept.length === 0) {
    book.keep({ kind: 'begin', marker: book.marker, tools: all.map(({ name }) => name) });
  }
  return isRest ? [...finderTools, ...offered] : offered;
}

/** Files and folders that were found or named, for the calls of a small model. */
function pathsOf({ model, turn, ports }: Talk): string[] {
  if (!model.reach.mustCall) return [];
  const { evidence } = collectFindings(turn.results, ports.tools);
  return pathsIn(
    [...turn.intent.mentions.paths, ...evidence.map(({ path }) => path)],
    turn.results,
  );
}

/** The words of a reply without calls, and where they are not whole, why. */
function answerOf({ text, stop, maxTokens, by }: Reply, { name }: ChatModel): Spoken {
  if (text.trim() !== '') {
    const whole = { text: text.trim(), ...(by === undefined ? {} : { by }) };
    if (stop === 'length') {
      return {
        ...whole,
        stop: 'cut-off',
        cutOff: `${name} reached its limit of ${maxTokens} tokens`,
      };
    }
    if (stop === 'refused') {
      return { ...whole, stop: 'refused', cutOff: `${name} refused to go on` };
    }
    return { ...whole, stop: 'answered' };
  }
  if (stop === 'refused') {
    throw modelError(
      { kind: 'refused' },
      `${name} refused to answer`,
      'Ask in other words, or see the passages alone with --model none',
    );
  }
  throw modelError(
    { kind: 'empty' },
    `${name} gave an empty answer`,
    'Ask again, or see the passages alone with --model none',
  );
}
