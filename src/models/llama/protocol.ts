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
  | ({ type: 'generate'; id: number } & GenerateRequest)
  | ({ id: number } & TextsRequest)
  | { type: 'cancel'; id: number };

export type FromChild =
  /** `asciiPerToken`: ASCII characters a token, as measured with its own tokenizer */
  | { type: 'ready'; contextTokens: number; asciiPerToken: number; dimensions: number }
  /** of one text after the other: little-endian f32 in base64 */
  | { type: 'vector'; id: number; vector: string }
  | { type: 'scores'; id: number; scores: number[] }
  | { type: 'text'; id: number; delta: string }
  | { type: 'end'; id: number; stop: 'end' | 'length'; inputTokens: number; outputTokens: number }
  /** id 0: about opening */
  | { type: 'failed'; id: number; code: FailureCode; message: string };

export type FailureCode = 'invalid-argument' | 'unavailable' | 'canceled' | 'internal';
