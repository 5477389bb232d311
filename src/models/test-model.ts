import { type ErrorCode, KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelToolCall } from '../contracts/model.ts';
import type { ModelScore } from '../contracts/output/parse-model.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { buildPrompt, type PromptInput, type PromptRound } from './build-prompt.ts';
import {
  type ChoiceItem,
  choiceItems,
  type ExpectedCall,
  examTools,
  type WordItem,
  wordItems,
} from './model-exam.ts';
import type { Aims, Measured } from './model-reach.ts';
import { contextFor, firstTokenMs, reachOf } from './model-reach.ts';
import { chooseFrom, type LlamaModel } from './open-llama.ts';

export type TestProgress = { label: string; done: number; total: number };

/** What the test will take, before it begins. */
export type TestForecast = {
  choices: number;
  answers: number;
  /** that are known of a test that was interrupted */
  known: number;
  seconds?: number;
  /** US dollars; undefined where the price is unknown */
  usd?: number;
};

/** What a model did with one question, kept so that a test that was interrupted goes on. */
export type ExamOutcome = {
  /** of a choice: one for each step that was asked */
  steps?: ExamStep[];
  /** of an answer */
  isRight?: boolean;
  chars?: number;
  tookMs: number;
};

type ExamStep = {
  /** the tool that was called; absent where none was */
  called?: string;
  /** whether its input was right */
  isInputRight: boolean;
  /** the odds of each tool and none, if the model reports them */
  odds?: { tools: string[]; weights: number[]; neutral: number[] };
};

/** One wrong choice in six may be taste; two are not. */
const minChoose = 5 / 6;
const minNone = 1 / 2;
const minWord = 5 / 6;
/** People read about 25 characters a second; below a third of that the evidence is read sooner. */
const minCharsPerSecond = 8;
/** A call of these tools has at most so many characters; an answer is a sentence or two. */
const choiceTokens = 128;
const wordTokens = 64;
/** Tokens of a question of the exam: new in its prompt, and written; an answer has more. */
const guessed = { choice: { read: 90, written: 16 }, word: { read: 150, written: wordTokens } };
/** Prompts of the exam as a provider counts them. */
const guessedPrompt = { choice: 900, word: 250 };
/** A longer question hangs; slow models are found by their speed. */
const minTimeoutMs = 120_000;

/** Prompts of the exam hold the project's own fixed texts, so nothing has to be defused. */
const mark = (part: { source: string; text: string; nonce: string }): string =>
  `[data ${part.nonce} from ${part.source}]\n${part.text}\n[end of data ${part.nonce}]`;

type Reply = { text: string; call: ModelToolCall | undefined; error?: KernelError };
type Clock = () => number;

export type TestOptions = {
  signal: AbortSignal;
  /** what a person waits for; decides how much of everything a local model gets */
  aims: Aims;
  /** of a test of the same model that was interrupted, by the number of the question */
  known?: Readonly<Record<string, ExamOutcome>>;
  onOutcome?: (id: string, outcome: ExamOutcome) => void;
  onForecast?: (forecast: TestForecast) => void;
  onProgress?: (progress: TestProgress) => void;
  /** a clock for durations, in ms */
  nowMs?: Clock;
};

/**
 * Puts a model to a fixed test: sixty tool choices, one in six with no right tool and six of two
 * steps, and twelve answers from evidence, with the prompts that real questions use. A model in a
 * process of ours is measured first.
 *
 * @throws {KernelError} `canceled` on abort; the model's own error when it never replied at all,
 *   since that says nothing of what it can do
 */
export async function testModel(
  model: ChatModel | LlamaModel,
  options: TestOptions,
): Promise<ModelScore> {
  const { signal, known = {}, nowMs = () => performance.now() } = options;
  const { onProgress = () => {}, onOutcome = () => {}, onForecast = () => {} } = options;
  const local = 'weigh' in model ? model : undefined;
  onProgress({ label: 'how fast it is', done: 0, total: choiceItems.length + wordItems.length });
  const speed = await local?.measure({ signal });
  onForecast(forecast(model, speed, Object.keys(known).length));
  const timeoutMs = Math.ceil(Math.max(minTimeoutMs, secondsFor(speed) * 20_000));
  const total = choiceItems.length + wordItems.length;
  const choices: ExamOutcome[] = [];
  const words: ExamOutcome[] = [];
  const errors: Reply[] = [];
  let done = 0;

  const examine = async (
    id: string,
    label: string,
    run: () => Promise<ExamOutcome>,
  ): Promise<ExamOutcome> => {
    onProgress({ label, done, total });
    done += 1;
    const kept = known[id];
    if (kept !== undefined) return kept;
    const outcome = await run();
    onOutcome(id, outcome);
    return outcome;
  };
  const ask: Ask = async (input, maxOutputTokens) => {
    const reply = await replyOf(model, input, { signal, timeoutMs, maxOutputTokens });
    errors.push(reply);
    return reply;
  };

  for (const [index, item] of choiceItems.entries()) {
    choices.push(
      await examine(`choice-${index}`, item.question, () =>
        choiceOutcome(item, { local, ask, nowMs, signal }),
      ),
    );
    if (index === 5) refuseSilent(model, errors);
  }
  for (const [index, item] of wordItems.entries()) {
    words.push(await examine(`word-${index}`, item.question, () => wordOutcome(item, ask, nowMs)));
  }
  onProgress({ label: 'done', done: total, total });
  refuseSilent(model, errors);

  const rule = calibrate(choices);
  const marks = choices.map((outcome, index) => isRight(choiceItems[index], outcome, rule));
  const unanswerable = marks.filter((_, index) => choiceItems[index]?.steps.length === 0);
  const wordMs = words.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const chars = words.reduce((sum, { chars: each = 0 }) => sum + each, 0);
  const score = {
    choose: shareOf(marks),
    none: shareOf(unanswerable),
    word: shareOf(words.map((outcome) => outcome.isRight === true)),
    charsPerSecond: wordMs === 0 ? 0 : (chars * 1_000) / wordMs,
  };
  const tookMs = [...choices, ...words].reduce((sum, each) => sum + each.tookMs, 0);
  const result = { ...score, role: roleOf(score), tookMs };
  if (local === undefined || speed === undefined) return result;
  const { aims } = options;
  const { trainedTokens, hasTemplate } = local;
  const { prefill, decode, memoryBytes } = speed;
  const contextTokens = contextFor({ prefill, decode, trainedTokens }, aims);
  const measured = {
    ...{ prefill, decode, trainedTokens, contextTokens, aims, memoryBytes, hasTemplate },
    ...rule,
  };
  const reach = reachOf(contextTokens, measured);
  const { promptTokens, answerTokens, rounds, tools } = reach;
  return {
    ...result,
    measured,
    reach: {
      ...{ promptTokens, answerTokens, rounds, tools },
      firstTokenMs: firstTokenMs(reach, measured),
    },
  };
}

type Ask = (
  input: Pick<PromptInput, 'role' | 'question' | 'tools' | 'observations' | 'rounds'>,
  maxOutputTokens: number,
) => Promise<Reply>;

async function replyOf(
  model: ChatModel,
  input: Parameters<Ask>[0],
  options: { signal: AbortSignal; timeoutMs: number; maxOutputTokens: number },
): Promise<Reply> {
  const { maxOutputTokens, timeoutMs } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const reply: Reply = { text: '', call: undefined };
  try {
    const request = requestOf(model, input, maxOutputTokens);
    for await (const event of model.stream(request, { signal })) {
      if (event.type === 'text') reply.text += event.delta;
      else if (event.type === 'thought') reply.text = '';
      else if (event.type === 'tool-call') reply.call ??= event.call;
      // A model that explains itself has made its choice long before this.
      if (reply.text.length > maxOutputTokens * 16) break;
    }
  } catch (thrown) {
    if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
    // A wrong, late or broken reply is a wrong answer. What came before the deadline still counts.
    reply.error = KernelError.from(thrown, 'unavailable');
  }
  return reply;
}

function requestOf(model: ChatModel, input: Parameters<Ask>[0], maxOutputTokens: number) {
  const prompt = buildPrompt(
    {
      ...input,
      memory: [],
      toolChoice: 'auto',
      nativeTools: model.reach.nativeTools,
      budgetTokens: Number.POSITIVE_INFINITY,
      countTokens: model.countTokens,
      nonce: 'exam00data',
      nowMs: 0,
    },
    { mark },
  );
  const { question, system, messages, tools } = prompt;
  // A local model that only has to choose says `none` by an empty reply.
  const toolChoice = tools.length === 0 ? 'none' : model.reach.mustCall ? 'required' : 'auto';
  return { question, system, messages, tools, toolChoice, maxOutputTokens } as const;
}

async function choiceOutcome(
  item: ChoiceItem,
  context: { local: LlamaModel | undefined; ask: Ask; nowMs: Clock; signal: AbortSignal },
): Promise<ExamOutcome> {
  const { local, ask, nowMs, signal } = context;
  const startMs = nowMs();
  const steps: ExamStep[] = [];
  const rounds: PromptRound[] = [];
  for (const expected of item.steps.length === 0 ? [undefined] : item.steps) {
    const { question } = item;
    const input = { role: 'choose' as const, question, tools: examTools, observations: [], rounds };
    const odds =
      local === undefined
        ? undefined
        : await local.weigh(requestOf(local, input, choiceTokens), { signal });
    const step: ExamStep = { isInputRight: true };
    if (odds !== undefined) {
      const neutral = odds.neutral ?? odds.weights.map(() => 0);
      step.odds = { tools: [...odds.tools], weights: odds.weights, neutral };
    }
    if (odds === undefined || expected?.input !== undefined) {
      const { call } = await ask(input, choiceTokens);
      if (call !== undefined) step.called = call.name;
      const text = JSON.stringify(call?.input ?? {});
      step.isInputRight = call?.fault === undefined && (expected?.input?.test(text) ?? true);
    }
    steps.push(step);
    if (expected?.result === undefined) continue;
    const id = `call-${rounds.length + 1}`;
    const given = inputFor(expected);
    rounds.push({
      text: '',
      calls: [{ id, name: expected.tool, input: given }],
      results: [{ id, source: `tool ${expected.tool}`, text: expected.result, isError: false }],
    });
  }
  return { steps, tookMs: nowMs() - startMs };
}

/** The input that the second step's prompt shows for the first call. */
function inputFor({ tool, input }: ExpectedCall): JsonObject {
  const [key] = Object.keys(
    (examTools.find(({ name }) => name === tool)?.inputSchema.properties ?? {}) as object,
  );
  return key === undefined || input === undefined
    ? {}
    : { [key]: input.source.replaceAll('\\', '') };
}

async function wordOutcome(item: WordItem, ask: Ask, nowMs: Clock): Promise<ExamOutcome> {
  const startMs = nowMs();
  const { question, evidence, fact, contradiction } = item;
  const { text } = await ask(
    { role: 'word', question, tools: [], observations: evidence },
    wordTokens,
  );
  const isRightText = fact.test(text) && !contradiction.test(text);
  return { isRight: isRightText, chars: text.length, tookMs: nowMs() - startMs };
}

type Rule = Pick<Measured, 'margin' | 'subtractsNeutral'>;

/** The tool that a step comes to by a rule; undefined for none. */
function toolOf(
  { called, odds }: ExamStep,
  { margin, subtractsNeutral }: Rule,
): string | undefined {
  if (odds === undefined) return called;
  const chosen = chooseFrom(odds.weights, subtractsNeutral ? odds.neutral : undefined, margin);
  const name = odds.tools[chosen ?? -1];
  return name === 'none' ? undefined : name;
}

function isRight(item: ChoiceItem | undefined, { steps = [] }: ExamOutcome, rule: Rule): boolean {
  if (item === undefined) return false;
  const [only] = steps;
  if (item.steps.length === 0) return only !== undefined && toolOf(only, rule) === undefined;
  return item.steps.every(({ tool }, index) => {
    const step = steps[index];
    return step?.isInputRight === true && toolOf(step, rule) === tool;
  });
}

/**
 * How far ahead the best choice must be so that most of the choices are right; the least of the
 * margins that are equally good, and the plain odds where they are as good.
 */
function calibrate(outcomes: readonly ExamOutcome[]): Rule {
  const margins = [0, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 3, 4];
  let best: Rule & { right: number } = { margin: 0, subtractsNeutral: false, right: -1 };
  for (const subtractsNeutral of [false, true]) {
    for (const margin of margins) {
      const rule = { margin, subtractsNeutral };
      const right = outcomes.filter((outcome, index) =>
        isRight(choiceItems[index], outcome, rule),
      ).length;
      if (right > best.right) best = { ...rule, right };
    }
  }
  return { margin: best.margin, subtractsNeutral: best.subtractsNeutral };
}

function roleOf(
  score: Pick<ModelScore, 'choose' | 'none' | 'word' | 'charsPerSecond'>,
): ModelScore['role'] {
  if (score.choose >= minChoose && score.none >= minNone) return 'choose';
  return score.word >= minWord && score.charsPerSecond >= minCharsPerSecond ? 'word' : 'none';
}

function shareOf(marks: readonly boolean[]): number {
  return marks.filter(Boolean).length / Math.max(1, marks.length);
}

function secondsFor(speed: { prefill: number; decode: number } | undefined): number {
  if (speed === undefined) return 0;
  const of = ({ read, written }: { read: number; written: number }): number =>
    read / speed.prefill + written / speed.decode;
  return of(guessed.choice) + of(guessed.word);
}

function forecast(
  model: ChatModel,
  speed: { prefill: number; decode: number } | undefined,
  known: number,
): TestForecast {
  const [choices, answers] = [choiceItems.length, wordItems.length];
  const left = 1 - known / (choices + answers);
  const base = { choices, answers, known };
  if (speed !== undefined) {
    const first = guessedPrompt.choice / speed.prefill;
    const all =
      choices * (guessed.choice.read / speed.prefill + guessed.choice.written / speed.decode) +
      answers * (guessed.word.read / speed.prefill + guessed.word.written / speed.decode);
    return { ...base, seconds: Math.ceil(first + left * all) };
  }
  const { price } = model;
  if (price === undefined) return base;
  const read = choices * guessedPrompt.choice + answers * guessedPrompt.word;
  const written = choices * guessed.choice.written + answers * wordTokens;
  return { ...base, usd: (left * (read * price.input + written * price.output)) / 1e6 };
}

/** @throws {KernelError} for a model that never said anything, which says nothing of what it can do */
function refuseSilent(model: ChatModel, replies: readonly Reply[]): void {
  const isSilent = ({ error, text }: Reply, code: ErrorCode): boolean =>
    error?.code === code && text === '';
  const [first] = replies;
  if (first?.error === undefined) return;
  if (replies.every((reply) => isSilent(reply, 'unavailable'))) throw first.error;
  // Only remote models get this error: a provider may be busy, a slow local model fails its test.
  if (model.remote && replies.every((reply) => isSilent(reply, 'deadline-exceeded'))) {
    const message = `${model.name} said nothing within the time of each question of its test`;
    throw new KernelError('unavailable', message, { hint: 'Test it again later.' });
  }
}
