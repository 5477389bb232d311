import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import type { ModelTool } from '../../contracts/model.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';
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

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const rate = v.pipe(v.number(), v.finite(), v.gtValue(0));
/**
 * A logarithm, so not above 0. JSON has no infinity: hopeless choices are large negative numbers.
 */
const weight = v.pipe(v.number(), v.finite(), v.maxValue(1e-6));
const reply = v.variant('type', [
  v.object({
    type: v.literal('ready'),
    contextTokens: v.pipe(count, v.minValue(1)),
    // as measured with its own tokenizer
    asciiPerToken: v.pipe(v.number(), v.finite(), v.minValue(0.1)),
    dimensions: count,
    trainedTokens: count,
    hasTemplate: v.boolean(),
    memoryBytes: count,
  }),
  // Logarithms of shares, in the order of what was offered.
  v.object({
    type: v.literal('weights'),
    id: count,
    weights: v.array(weight),
    neutral: v.exactOptional(v.array(weight)),
  }),
  // Tokens in a second.
  v.object({
    type: v.literal('speed'),
    id: count,
    prefill: rate,
    decode: rate,
    memoryBytes: count,
  }),
  // One text after the other: little-endian f32 in base64.
  v.object({ type: v.literal('vector'), id: count, vector: v.pipe(v.string(), v.base64()) }),
  v.object({
    type: v.literal('scores'),
    id: count,
    scores: v.array(v.pipe(v.number(), v.finite())),
  }),
  v.variant('state', [
    v.object({
      type: v.literal('state'),
      id: count,
      state: v.picklist(['loaded', 'useless', 'none']),
    }),
    v.object({ type: v.literal('state'), id: count, state: v.literal('saved'), bytes: count }),
  ]),
  v.object({ type: v.literal('text'), id: count, delta: v.string() }),
  v.object({
    type: v.literal('end'),
    id: count,
    stop: v.picklist(['end', 'length']),
    inputTokens: count,
    outputTokens: count,
  }),
  // The id 0 belongs to opening.
  v.object({
    type: v.literal('failed'),
    id: count,
    code: v.picklist(['invalid-argument', 'unavailable', 'canceled', 'internal']),
    message: v.string(),
  }),
]);

export type FromChild = v.InferOutput<typeof reply>;
export type FailureCode = Extract<FromChild, { type: 'failed' }>['code'];

/**
 * @param line one line of the model process, at most 64 Ki characters
 * @throws {KernelError} `unavailable`: what native code broke is not to be trusted further
 */
export function parseReply(line: string): FromChild {
  if (line.length > maxReplyChars) {
    throw new KernelError(
      'unavailable',
      `the model process sent a line of ${line.length} characters, limit ${maxReplyChars}`,
    );
  }
  try {
    return v.parse(reply, JSON.parse(line), { abortEarly: true });
  } catch (thrown) {
    throw new KernelError('unavailable', 'the model process sent an unknown line', {
      cause: thrown,
    });
  }
}

/**
 * Reads the input that a model wrote under the grammar of `callSchema()`.
 *
 * @throws {KernelError} `tool-failed` when it was cut. It is not repaired: the model did not write
 *   the end of such a call.
 */
export function parseCall(text: string, tool: ModelTool): JsonObject {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    const message = `the model's tool call ended early, after ${text.length} characters`;
    throw new KernelError('tool-failed', message, { cause: thrown });
  }
  if (!isObject(value)) {
    throw new KernelError('tool-failed', 'the model wrote JSON that is not the input of a tool');
  }
  return tidyInput(value, tool.inputSchema);
}

/** JSON writes 1e999, which reads as infinity; then the bound, or 0, is what can be kept. */
function tidyNumber(value: number, schema: JsonObject): number {
  const low = typeof schema.minimum === 'number' ? schema.minimum : -Number.MAX_SAFE_INTEGER;
  const high = typeof schema.maximum === 'number' ? schema.maximum : Number.MAX_SAFE_INTEGER;
  return Math.min(Math.max(Number.isFinite(value) ? value : 0, low), high);
}

function tidyValue(value: Json, schema: JsonObject): Json {
  if (typeof value === 'number') return tidyNumber(value, schema);
  if (isObject(value)) return tidyInput(value, schema);
  if (!Array.isArray(value)) return value;
  const items = isObject(schema.items) ? schema.items : {};
  return value.map((item) => tidyValue(item, items));
}

/**
 * Undoes what the grammar had to add: a null for a property that is not required goes, numbers
 * are moved into the range that the grammar could not express. Nothing else is changed; whether
 * the input is right is for the tool to say.
 *
 * @param schema the tool's own JSON Schema of the input
 */
function tidyInput(input: JsonObject, schema: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const tidy: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    if (value === null && !required.has(key)) continue;
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    tidy[key] = tidyValue(value, isObject(known) ? known : {});
  }
  return tidy;
}
