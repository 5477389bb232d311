import { KernelError } from './error.ts';
import type { ModelImage, ModelToolCall } from './model.ts';

/** A number of rounds of a run, and all of the runs before it. Ids of runs grow with time. */
export type TalkPlace = { run: string; rounds: number };

/** The parts of a conversation that are shortened, so that it fits. */
export type Compaction = {
  /** rounds whose results are a line each */
  results: TalkPlace;
  /** of these, rounds that are their calls alone */
  calls: TalkPlace;
  /** stands for the turns up to and with a run; words of a model */
  summary?: { through: string; text: string; model: string };
};

export const noCompaction: Compaction = {
  results: { run: '', rounds: 0 },
  calls: { run: '', rounds: 0 },
};

/** A model's fault, as far as it decides the next action. */
export type ModelFault = {
  /**
   * `busy` and `limited` pass by themselves; `unreachable` and `offline` are the network; `broken`
   * is an answer that ended before its end, `silent` one that stopped coming, `empty` one without
   * words or calls, `half-call` one that was meant as a call and is none; `overflow` is a prompt that is too long; `no-tools` a model that takes none;
   * `refused` comes again however often it is asked
   */
  kind:
    | 'busy'
    | 'limited'
    | 'unreachable'
    | 'offline'
    | 'broken'
    | 'silent'
    | 'empty'
    | 'half-call'
    | 'overflow'
    | 'no-tools'
    | 'refused';
  /** how long the provider asks to be left alone */
  retryAfterMs?: number;
  /** of a request that was refused for what is in it */
  status?: number;
  /** the longest prompt with its answer, in tokens, where the words say it */
  limitTokens?: number;
};

const faults = new WeakMap<KernelError, ModelFault>();

/** An error of a model. It has no cause: errors of the SDKs hold headers and the request. */
export function modelError(
  fault: ModelFault,
  message: string,
  hint: string,
  code: KernelError['code'] = 'unavailable',
): KernelError {
  const error = new KernelError(code, message, { hint });
  faults.set(error, fault);
  return error;
}

export function faultOf(thrown: unknown): ModelFault | undefined {
  return thrown instanceof KernelError ? faults.get(thrown) : undefined;
}

const passing: ReadonlySet<ModelFault['kind']> = new Set([
  ...(['busy', 'limited', 'unreachable', 'broken', 'silent'] as const),
]);

/** Whether the same request may well succeed a little later. */
export function isPassing(fault: ModelFault | undefined): boolean {
  return fault !== undefined && passing.has(fault.kind);
}

/**
 * Why rounds with a model ended; the first that holds, in this order. `answered`, `cut-off` and
 * `refused` are words of the model; with the others the answer is made without it.
 */
export const stopReasons = [
  'answered',
  'cut-off',
  'refused',
  'interrupted',
  'rounds',
  'tool-calls',
  'tokens',
  'usd',
  'day-usd',
  'duration-ms',
  'model',
  'failed',
] as const;

export type StopReason = (typeof stopReasons)[number];

/** The limits of a question, as `budget.KEY` names them. */
export type BudgetKey = 'rounds' | 'tool-calls' | 'tokens' | 'usd' | 'day-usd' | 'duration-ms';

const spentKeys = new WeakMap<KernelError, BudgetKey>();

/** Marks the error of a spent budget with the limit that it reached. */
export function markSpent(error: KernelError, key: BudgetKey): KernelError {
  spentKeys.set(error, key);
  return error;
}

/** Why an error ended the rounds. */
export function stopOf(error: KernelError): StopReason {
  if (error.code === 'canceled') return 'interrupted';
  const key = spentKeys.get(error);
  if (key !== undefined) return key;
  return faultOf(error) !== undefined || error.code === 'unavailable' ? 'model' : 'failed';
}

/** A text with its source; it is not trusted. */
export type SourcedText = { source: string; text: string };

/** A stored part of a conversation with a model, in order. */
export type TalkPart =
  /** once for a session: the word that marks data, and the tools that the model is shown */
  | { kind: 'begin'; marker: string; tools: readonly string[] }
  | {
      kind: 'question';
      text: string;
      images?: readonly ModelImage[];
      /** what the model was shown with it */
      memory: readonly SourcedText[];
      observations: readonly SourcedText[];
    }
  | { kind: 'reply'; text: string; calls: readonly ModelToolCall[] }
  | ({
      kind: 'result';
      /** id of the call */
      call: string;
      isError: boolean;
      /** words of the kernel, e.g. why a call was not made */
      isOurs: boolean;
    } & SourcedText)
  /** why a prompt was what it was: tokens, what was left out, what was made shorter */
  | {
      kind: 'prompt';
      tokens: number;
      messages: number;
      tools: number;
      leftOut: { observations: number; memory: number; tools: number };
      shortened: number;
    }
  /** from here on the conversation is shown so */
  | ({ kind: 'compaction' } & Compaction)
  /** a run that ended without words of the model */
  | { kind: 'stop'; stop: string };
