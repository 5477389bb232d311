import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { maxReplyChars } from './protocol.ts';

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
