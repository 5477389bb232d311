import type { ModelReach } from '../contracts/model.ts';

/** The findings of a model's test on this machine. */
export type Measured = {
  /** tokens in a second */
  prefill: number;
  decode: number;
  /** that the model was trained on */
  trainedTokens: number;
  /** that it is opened with */
  contextTokens: number;
  /** the least lead of the best tool, as a difference of logarithms of shares */
  margin: number;
  /** whether the odds without a question are subtracted */
  subtractsNeutral: boolean;
  /** the times that its prompts and answers must keep */
  aims: Aims;
};

/** The times that a person waits for. */
export type Aims = {
  /** until its first word */
  firstTokenMs: number;
  /** for one question, all in all */
  durationMs: number;
};

/** The least prompt: a system text, a few tools and one piece of evidence. */
const leastPromptTokens = 800;
const leastAnswerTokens = 160;
/** English and code, low. */
const usualAsciiPerToken = 3;
const mostAnswerTokens = 4_000;
/** Share of a question's time for its answer. */
const answerShare = 0.2;
/** A call of a tool: its input. */
const callTokens = 48;
/** A tool as a model reads it, and how much of a prompt tools may take. */
const toolTokens = 60;
const toolShare = 0.4;
const [fewestTools, mostTools] = [5, 8];
/** Contexts are made in steps of this. */
const contextStep = 256;

/** Every prompt of the test of a model fits, whatever its template. */
const examContextTokens = 4_096;

/**
 * For an untested model. The vocabularies of some cut so finely that the least prompt fills most of
 * it.
 */
export const least = { contextTokens: 2_048 };

/**
 * The context that a model is opened with: enough for the prompts that it reads in time, and their
 * answers, and no more, since memory goes with it.
 */
export function contextFor(
  { prefill, decode, trainedTokens }: Pick<Measured, 'prefill' | 'decode' | 'trainedTokens'>,
  aims: Aims,
): number {
  const wanted = promptFor(prefill, aims) + answerFor(decode, aims);
  const whole = Math.ceil(wanted / contextStep) * contextStep;
  return Math.min(trainedTokens, Math.max(whole, least.contextTokens));
}

/** The values that a model is opened with for its test: room for every question, no assumptions. */
export function forExam(aims: Aims): Measured {
  return {
    ...{ prefill: 1_000, decode: 100, trainedTokens: examContextTokens },
    ...{ contextTokens: examContextTokens, margin: 0, subtractsNeutral: true, aims },
  };
}

/**
 * How much a model is given, by how fast it reads and writes here.
 *
 * @param asciiPerToken of its vocabulary; where it cuts finely, the least is more tokens
 */
export function reachOf(
  contextTokens: number,
  measured: Measured | undefined,
  asciiPerToken = usualAsciiPerToken,
): ModelReach {
  const fewest = Math.max(
    leastPromptTokens,
    Math.ceil((leastPromptTokens * usualAsciiPerToken) / asciiPerToken),
  );
  const base = { nativeTools: false, mustCall: true };
  if (measured === undefined) {
    return {
      ...base,
      promptTokens: Math.max(1, Math.min(fewest, contextTokens - leastAnswerTokens)),
      answerTokens: leastAnswerTokens,
      rounds: 1,
      tools: fewestTools,
    };
  }
  const { prefill, decode, aims } = measured;
  const answerTokens = Math.min(answerFor(decode, aims), Math.floor(contextTokens / 3));
  const promptTokens = Math.min(
    Math.max(promptFor(prefill, aims), fewest),
    contextTokens - answerTokens,
  );
  const answerMs = (answerTokens / decode) * 1_000;
  const roundMs = aims.firstTokenMs + (callTokens / decode) * 1_000;
  return {
    ...base,
    promptTokens,
    answerTokens,
    rounds: Math.max(1, Math.floor((aims.durationMs - answerMs) / roundMs)),
    tools: Math.min(
      mostTools,
      Math.max(fewestTools, Math.floor((promptTokens * toolShare) / toolTokens)),
    ),
  };
}

/** ms until the first word of the longest prompt that the model is given. */
export function firstTokenMs(
  { promptTokens }: ModelReach,
  { prefill }: Pick<Measured, 'prefill'>,
): number {
  return (promptTokens / prefill) * 1_000;
}

function promptFor(prefill: number, { firstTokenMs: ms }: Aims): number {
  return Math.max(leastPromptTokens, Math.floor((prefill * ms) / 1_000));
}

function answerFor(decode: number, { durationMs }: Aims): number {
  const inTime = Math.floor((decode * durationMs * answerShare) / 1_000);
  return Math.min(mostAnswerTokens, Math.max(leastAnswerTokens, inTime));
}
