/**
 * The ONNX process: the only place that loads the native ONNX runtime, so that an abort of it ends
 * this process and nothing else. Started by `openOnnxProcess()`, never imported. Nothing is ever
 * fetched from a network.
 */
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { PreTrainedModel, PreTrainedTokenizer } from '@huggingface/transformers';
import { reasonOf } from '../../contracts/error.ts';
import type { FromChild } from './parse-frame.ts';
import {
  encodeFrame,
  maxRequestChars,
  type OpenRequest,
  type Pooling,
  replyFd,
  type ToChild,
} from './parse-frame.ts';

type Tensor = { data: Float32Array; dims: number[]; dispose(): void };
type Encoded = { input_ids: { data: BigInt64Array } };

const maxReasonChars = 500;
const out = new Socket({ fd: replyFd });
let opened: { tokenizer: PreTrainedTokenizer; model: PreTrainedModel } | undefined;

// The library loads its reader of pictures at its start. None is read here, so none is installed.
registerHooks({
  resolve: (name, context, next) =>
    name === 'sharp'
      ? { url: 'data:text/javascript,export default {}', shortCircuit: true }
      : next(name, context),
});

/** The bundle gets the folder of packages; the sources find packages by name. */
const packages = process.argv[2];
const library = '@huggingface/transformers';
const { AutoModel, AutoModelForSequenceClassification, AutoTokenizer, env } = (await import(
  packages === undefined
    ? library
    : pathToFileURL(`${packages}/${library}/dist/transformers.node.mjs`).href
)) as typeof import('@huggingface/transformers');
env.allowRemoteModels = false;
env.allowLocalModels = true;
env.useFSCache = false;

function send(message: FromChild, bytes: Uint8Array = new Uint8Array(0)): void {
  for (const part of encodeFrame(message, bytes)) out.write(part);
}

async function open(id: number, request: OpenRequest): Promise<void> {
  const { folder, file, kind, threads } = request;
  const options = { local_files_only: true, ...file };
  const [tokenizer, model] = await Promise.all([
    AutoTokenizer.from_pretrained(folder, { local_files_only: true }),
    (kind === 'pairs' ? AutoModelForSequenceClassification : AutoModel).from_pretrained(folder, {
      ...options,
      session_options: { intraOpNumThreads: threads, interOpNumThreads: 1 },
    }),
  ]);
  opened = { tokenizer, model };
  const { dimensions } = kind === 'pairs' ? { dimensions: 0 } : await statesOf('a', 8);
  send({ type: 'ready', id, dimensions });
}

function usable(): NonNullable<typeof opened> {
  if (opened === undefined) throw new Error('no model is open');
  return opened;
}

/** One text at a time: the result of a text must not depend on the texts beside it. */
async function run(text: string, maxTokens: number, pair?: string) {
  const { tokenizer, model } = usable();
  const inputs = tokenizer(text, {
    truncation: true,
    max_length: maxTokens,
    // the library takes an empty text for none
    ...(pair === undefined ? {} : { text_pair: pair === '' ? ' ' : pair }),
  }) as Encoded;
  const outputs = (await model(inputs)) as Record<string, Tensor | undefined>;
  return { ids: Array.from(inputs.input_ids.data, Number), outputs };
}

/** @returns a row for each token */
async function statesOf(text: string, maxTokens: number) {
  const { ids, outputs } = await run(text, maxTokens);
  const states = outputs.last_hidden_state ?? outputs.token_embeddings;
  if (states === undefined || states.dims.length !== 3) {
    const names = Object.keys(outputs).join(', ');
    throw new Error(`its output (${names}) has no states of tokens: it is not a sentence model`);
  }
  const [, rows = 0, dimensions = 0] = states.dims;
  if (rows !== ids.length) throw new Error(`it returned ${rows} states for ${ids.length} tokens`);
  return { ids, dimensions, values: states.data };
}

function pool(values: Float32Array, dimensions: number, pooling: Pooling): Float32Array {
  const rows = values.length / dimensions;
  const vector = new Float32Array(dimensions);
  const [first, last] =
    pooling === 'cls' ? [0, 0] : pooling === 'last' ? [rows - 1, rows - 1] : [0, rows - 1];
  for (let row = first; row <= last; row += 1) {
    for (let at = 0; at < dimensions; at += 1) {
      vector[at] = (vector[at] as number) + (values[row * dimensions + at] as number);
    }
  }
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length)) throw new Error('it returned values that are not numbers');
  return length === 0 ? vector : vector.map((value) => value / length);
}

async function embed(id: number, texts: readonly string[], pooling: Pooling, maxTokens: number) {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    const { dimensions, values } = await statesOf(text, maxTokens);
    vectors.push(pool(values, dimensions, pooling));
  }
  const dimensions = vectors[0]?.length ?? 1;
  send({ type: 'vectors', id, dimensions }, Buffer.concat(vectors.map(bytesOf)));
}

async function states(id: number, texts: readonly string[], maxTokens: number, isQuery: boolean) {
  const { tokenizer } = usable();
  const special = new Set<number>(isQuery ? tokenizer.all_special_ids : []);
  const parts: Uint8Array[] = [];
  const tokens: number[] = [];
  let pieces: string[] = [];
  let size = 1;
  for (const text of texts) {
    const { ids, dimensions, values } = await statesOf(text, maxTokens);
    const kept = ids.flatMap((token, row) => (special.has(token) ? [] : [row]));
    if (isQuery) pieces = kept.map((row) => tokenizer.decode([ids[row] as number]));
    const { scales, rounded } = roundRows(values, kept, dimensions);
    parts.push(bytesOf(scales), bytesOf(rounded));
    tokens.push(kept.length);
    size = dimensions;
  }
  send({ type: 'states', id, dimensions: size, tokens, pieces }, Buffer.concat(parts));
}

/** Rounds values to eight bits, scaled by the range of each row. */
function roundRows(values: Float32Array, rows: readonly number[], dimensions: number) {
  const scales = new Float32Array(rows.length);
  const rounded = new Int8Array(rows.length * dimensions);
  for (const [place, row] of rows.entries()) {
    const state = values.subarray(row * dimensions, (row + 1) * dimensions);
    let largest = 0;
    for (const value of state) largest = Math.max(largest, Math.abs(value));
    const factor = largest === 0 ? 0 : 127 / largest;
    let squares = 0;
    for (let at = 0; at < dimensions; at += 1) {
      const value = Math.round((state[at] as number) * factor);
      rounded[place * dimensions + at] = value;
      squares += value * value;
    }
    scales[place] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }
  return { scales, rounded };
}

async function score(id: number, question: string, texts: readonly string[], maxTokens: number) {
  const scores: number[] = [];
  for (const text of texts) {
    const { logits } = (await run(question, maxTokens, text)).outputs;
    if (logits === undefined)
      throw new Error('it has no "logits": it is not a classification model');
    const [first = 0, second] = logits.data;
    // of two classes the second says "belongs to it"
    scores.push(second === undefined ? first : second - first);
  }
  send({ type: 'scores', id, scores });
}

function bytesOf(values: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

async function work(message: ToChild): Promise<void> {
  const { id } = message;
  try {
    if (message.type === 'open') await open(id, message);
    else if (message.type === 'embed')
      await embed(id, message.texts, message.pooling, message.maxTokens);
    else if (message.type === 'states')
      await states(id, message.texts, message.maxTokens, message.isQuery);
    else await score(id, message.question, message.texts, message.maxTokens);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    send({ type: 'failed', id, message: reason.replace(/\s+/g, ' ').slice(0, maxReasonChars) });
  }
}

let working: Promise<void> = Promise.resolve();
let pending = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (piece: string) => {
  const lines = (pending + piece).split('\n');
  pending = lines.pop() ?? '';
  if (pending.length > maxRequestChars) process.exit(1);
  for (const line of lines) {
    // The kernel is trusted by this process.
    const message = JSON.parse(line) as ToChild;
    working = working.then(() => work(message));
  }
});
// The kernel is gone; native threads may be busy, so nothing less ends this at once.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
out.on('error', () => process.kill(process.pid, 'SIGKILL'));
