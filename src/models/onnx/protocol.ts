/**
 * Messages between the kernel and the ONNX process: one JSON object a line on the process's
 * standard input, and frames on descriptor 3: the length of a JSON object and of the bytes behind
 * it, four bytes each, little-endian, then both. Standard output is not used, since native code may
 * print there.
 */

/** Longest line to the process: a few texts at a time. */
export const maxRequestChars = 16 * 1024 * 1024;
export const maxReplyJsonBytes = 256 * 1024;
/** States of eight texts of 512 tokens with 4,096 dimensions. */
export const maxReplyBytes = 24 * 1024 * 1024;
/** Descriptor on which the process replies. */
export const replyFd = 3;

/** Which file of the folder, as the library names it. */
export type ModelFile = { subfolder: string; dtype: 'q8' | 'fp32' };
export type Pooling = 'mean' | 'cls' | 'last';

export type OpenRequest = {
  type: 'open';
  folder: string;
  file: ModelFile;
  kind: 'sentence' | 'pairs';
  threads: number;
};

export type WorkRequest =
  | { type: 'embed'; texts: readonly string[]; pooling: Pooling; maxTokens: number }
  | { type: 'states'; texts: readonly string[]; maxTokens: number; isQuery: boolean }
  | { type: 'score'; question: string; texts: readonly string[]; maxTokens: number };

export type ToChild = { id: number } & (OpenRequest | WorkRequest);
