import type { JsonObject } from '../../contracts/tool.ts';
import type { GrammarSchema } from './call-schema.ts';

/**
 * Messages between the kernel and a model process: one JSON object a line, the kernel's on the
 * process's standard input, the process's on descriptor 3. Its standard output is not used, since
 * native code may print there.
 */

/** Longest line to the model process: a prompt of a long context, escaped. */
export const maxRequestChars = 16 * 1024 * 1024;
/** Longest line from the model process: pieces of text are a token long, reasons are capped. */
export const maxReplyChars = 64 * 1024;

/** Descriptor on which the model process replies. */
export const replyFd = 3;

export type ChatTurn =
  | { role: 'system' | 'user'; text: string }
  | {
      role: 'model';
      text: string;
      /** calls after the text, each with its result */
      calls?: readonly { name: string; input: JsonObject; result: string }[];
    };

/** A tool as the model is shown it. */
export type Offered = {
  name: string;
  description: string;
  /** the required part of its input; absent where nothing is required */
  params?: GrammarSchema;
};

/** The file of a prompt's beginning as the model has read it, to load or to save. */
export type StateFile =
  | { load: string }
  /** when reading took at least so long */
  | { save: string; leastMs: number };

/** The outcome; `none`: it was not worth keeping, or could not be kept. */
export type StateReply =
  | { state: 'loaded' | 'useless' | 'none' }
  | { state: 'saved'; bytes: number };

/** Which of some tools the model would call. */
export type ChooseRequest = {
  turns: readonly ChatTurn[];
  offered: readonly Offered[];
  /** the same conversation without the question, to measure what the model would call anyway */
  neutral?: readonly ChatTurn[];
};

/** The input of a call of one of the tools that were offered. */
export type CallRequest = {
  turns: readonly ChatTurn[];
  offered: readonly Offered[];
  /** its place among them */
  chosen: number;
  schema: GrammarSchema;
  maxTokens: number;
};

export type GenerateRequest = {
  /** the last turn is the user's */
  turns: readonly ChatTurn[];
  maxTokens: number;
};

/** The most tokens of a text that gets a vector or a score; the rest is cut off. */
export const maxTextTokens = 512;

/** Work of a model that is opened for vectors, or for ranking. */
export type TextsRequest =
  | { type: 'embed'; texts: readonly string[] }
  | { type: 'rank'; question: string; texts: readonly string[] };

export type ToChild =
  | {
      type: 'open';
      path: string;
      contextTokens: number;
      threads: number;
      use: 'chat' | 'embed' | 'rank';
    }
  | ({ type: 'generate'; id: number; file?: StateFile } & GenerateRequest)
  | ({ type: 'choose'; id: number; file?: StateFile } & ChooseRequest)
  | ({ type: 'call'; id: number; file?: StateFile } & CallRequest)
  | { type: 'measure'; id: number }
  | ({ id: number } & TextsRequest)
  | { type: 'cancel'; id: number };

/** How fast a machine works with a model. */
export type Speed = {
  /** tokens of a prompt that are read in a second */
  prefill: number;
  /** tokens of an answer that are written in a second */
  decode: number;
};
