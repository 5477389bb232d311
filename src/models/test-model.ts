import { type ErrorCode, KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelRole, ModelToolCall } from '../contracts/model.ts';
import { buildPrompt, type PromptInput } from './build-prompt.ts';
import { type ChoiceItem, choiceItems, examTools, type WordItem, wordItems } from './model-exam.ts';

/** What a model can be trusted with. */
export type ModelScore = {
  /** share of the obvious tool choices that were right, 0 to 1 */
  choose: number;
  /** share of the answers that held the fact of their evidence and nothing against it, 0 to 1 */
  word: number;
  /** `none`: evidence alone is better than this model's words */
  role: ModelRole | 'none';
  /** of the answers, from the question to their end; 0 when there was none */
  charsPerSecond: number;
  tookMs: number;
};

export type TestProgress = { label: string; done: number; total: number };

/** One wrong choice in six may be taste; two are not. */
const minChoose = 5 / 6;
/** People read about 25 characters a second; below a third of that the evidence is read sooner. */
const minCharsPerSecond = 8;
/** The sum over all items is a minute; local models on one core take most of it. */
const choiceTimeoutMs = 7_000;
const wordTimeoutMs = 9_000;
/** A call of these tools has at most so many characters; an answer is a sentence or two. */
const choiceTokens = 128;
const wordTokens = 64;

/** Prompts of the exam hold the project's own fixed texts, so nothing has to be defused. */
const mark = (part: { source: string; text: string; nonce: string }): string =>
  `[data ${part.nonce} from ${part.source}]\n${part.text}\n[end of data ${part.nonce}]`;

type Outcome = {
  text: string;
  call: ModelToolCall | undefined;
  tookMs: number;
  error?: KernelError;
};
type Clock = () => number;

async function ask(
  model: ChatModel,
  input: Pick<PromptInput, 'role' | 'question' | 'tools' | 'observations'>,
  options: { signal: AbortSignal; timeoutMs: number; maxOutputTokens: number; nowMs: Clock },
): Promise<Outcome> {
  const { maxOutputTokens, timeoutMs, nowMs } = options;
  const startMs = nowMs();
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const outcome: Outcome = { text: '', call: undefined, tookMs: 0 };
  try {
    const prompt = buildPrompt(
      {
        ...input,
        memory: [],
        toolChoice: 'required',
        nativeTools: model.remote,
        budgetTokens: model.contextTokens - maxOutputTokens,
        countTokens: model.countTokens,
        nonce: 'exam00data',
        nowMs: 0,
      },
      { mark },
    );
    for await (const event of model.stream({ ...prompt, maxOutputTokens }, { signal })) {
      if (event.type === 'text') outcome.text += event.delta;
      else if (event.type === 'tool-call') outcome.call ??= event.call;
    }
  } catch (thrown) {
    if (options.signal.aborted) throw KernelError.from(options.signal.reason, 'canceled');
    // A wrong, late or broken reply is a wrong answer. What came before the deadline still counts.
    outcome.error = KernelError.from(thrown, 'unavailable');
  }
  outcome.tookMs = nowMs() - startMs;
  return outcome;
}

function isRightChoice(item: ChoiceItem, { call }: Outcome): boolean {
  return call?.name === item.tool && call.fault === undefined;
}

function isRightWording(item: WordItem, { text }: Outcome): boolean {
  return item.fact.test(text) && !item.contradiction.test(text);
}

function roleOf(score: Pick<ModelScore, 'choose' | 'word' | 'charsPerSecond'>): ModelScore['role'] {
  if (score.choose >= minChoose) return 'choose';
  return score.word === 1 && score.charsPerSecond >= minCharsPerSecond ? 'word' : 'none';
}

/**
 * Puts a model to a short fixed test: six obvious choices among six tools and two answers from
 * evidence that holds them, with the prompts that real questions use. Takes at most about a
 * minute: every reply is bounded in tokens and time.
 *
 * @param options.nowMs a clock for durations, in ms
 * @throws {KernelError} `canceled` on abort; the model's own error when it never replied at all,
 *   since that says nothing of what it can do
 */
export async function testModel(
  model: ChatModel,
  options: {
    signal: AbortSignal;
    onProgress?: (progress: TestProgress) => void;
    nowMs?: Clock;
  },
): Promise<ModelScore> {
  const { signal, onProgress = () => {}, nowMs = () => performance.now() } = options;
  const startMs = nowMs();
  const total = choiceItems.length + wordItems.length;
  const outcomes: Outcome[] = [];
  let rightChoices = 0;
  for (const item of choiceItems) {
    onProgress({ label: item.question, done: outcomes.length, total });
    const { question } = item;
    const outcome = await ask(
      model,
      { role: 'choose', question, tools: examTools, observations: [] },
      { signal, timeoutMs: choiceTimeoutMs, maxOutputTokens: choiceTokens, nowMs },
    );
    if (isRightChoice(item, outcome)) rightChoices += 1;
    outcomes.push(outcome);
  }
  let rightWordings = 0;
  let chars = 0;
  let wordMs = 0;
  for (const item of wordItems) {
    onProgress({ label: item.question, done: outcomes.length, total });
    const { question, evidence } = item;
    const outcome = await ask(
      model,
      { role: 'word', question, tools: [], observations: evidence },
      { signal, timeoutMs: wordTimeoutMs, maxOutputTokens: wordTokens, nowMs },
    );
    if (isRightWording(item, outcome)) rightWordings += 1;
    chars += outcome.text.length;
    wordMs += outcome.tookMs;
    outcomes.push(outcome);
  }
  onProgress({ label: 'done', done: total, total });
  const isSilent = ({ error, text }: Outcome, code: ErrorCode) =>
    error?.code === code && text === '';
  const [first] = outcomes;
  const silent = outcomes.every((outcome) => isSilent(outcome, 'unavailable'));
  if (silent && first?.error !== undefined) throw first.error;
  // A local model that is too slow is no use; a provider that is may be busy, or wait for its turn.
  if (model.remote && outcomes.every((outcome) => isSilent(outcome, 'deadline-exceeded'))) {
    const message = `${model.name} said nothing within the time of each question of its test`;
    throw new KernelError('unavailable', message, { hint: 'Test it again later.' });
  }
  const score = {
    choose: rightChoices / choiceItems.length,
    word: rightWordings / wordItems.length,
    charsPerSecond: wordMs === 0 ? 0 : (chars * 1_000) / wordMs,
  };
  return { ...score, role: roleOf(score), tookMs: nowMs() - startMs };
}
