import type { GrammarSchema } from './simplify-schema.ts';

/**
 * What kernel and model process say to each other: one JSON object a line, the kernel's on the
 * process's standard input, the process's on descriptor 3. Its standard output is not used, since
 * native code may print there.
 */

/** Longest line to the model process: a prompt of a long context, escaped. */
export const maxRequestChars = 16 * 1024 * 1024;
/** Longest line from the model process: pieces of text are a token long, reasons are capped. */
export const maxReplyChars = 64 * 1024;

/** Descriptor on which the model process replies. */
export const replyFd = 3;

export type ChatTurn = { role: 'system' | 'user' | 'model'; text: string };

export type GenerateRequest = {
  /** the last turn is the user's */
  turns: readonly ChatTurn[];
  maxTokens: number;
  /** the reply is JSON of this schema; free text without */
  grammar?: GrammarSchema;
};

export type ToChild =
  | { type: 'open'; path: string; contextTokens: number; threads: number }
  | ({ type: 'generate'; id: number } & GenerateRequest)
  | { type: 'cancel'; id: number };

export type FromChild =
  /** `asciiPerToken`: ASCII characters a token, as measured with its own tokenizer */
  | { type: 'ready'; contextTokens: number; asciiPerToken: number }
  | { type: 'text'; id: number; delta: string }
  | { type: 'end'; id: number; stop: 'end' | 'length'; inputTokens: number; outputTokens: number }
  /** id 0: about opening */
  | { type: 'failed'; id: number; code: FailureCode; message: string };

export type FailureCode = 'invalid-argument' | 'unavailable' | 'canceled' | 'internal';
