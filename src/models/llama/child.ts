/**
 * The model process: the only place that loads native llama.cpp code, so that an abort of it ends
 * this process and nothing else. Started by `openChild()`, never imported.
 */
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type {
  ChatHistoryItem,
  Llama,
  LlamaContextSequence,
  LlamaEmbeddingContext,
  LlamaModel,
  LlamaRankingContext,
} from 'node-llama-cpp';
import { getLlama, LlamaChat } from 'node-llama-cpp';
import { reasonOf } from '../../lib/reason-of.ts';
import {
  type FailureCode,
  type FromChild,
  type GenerateRequest,
  maxReplyChars,
  maxRequestChars,
  maxTextTokens,
  replyFd,
  type TextsRequest,
  type ToChild,
} from './protocol.ts';
import { skipBinaryTest } from './skip-binary-test.ts';
import { splitLines } from './split-lines.ts';

const maxReasonChars = 500;
/** A reply needs some room; a prompt that leaves less is refused rather than answered in stumps. */
const minReplyTokens = 8;

/** Prose and code, as prompts have them; the worse rate of the two counts. */
const samples = [
  'The retry limit is read from the configuration when the client is opened, and every request that fails is tried again until it is reached.',
  'export function readLimit(config: Config): number {\n  return config.http?.maxRetries ?? 7; // src/http/retry.ts:12\n}\n',
];

const out = new Socket({ fd: replyFd });
const nativeErrors: string[] = [];
const running = new Map<number, AbortController>();
let opened: { llama: Llama; model: LlamaModel; sequence: LlamaContextSequence } | undefined;
let openedForTexts:
  | { model: LlamaModel; embedding?: LlamaEmbeddingContext; ranking?: LlamaRankingContext }
  | undefined;
/** Room for the tokens that the library puts around a text. */
const spareTokens = 4;

function send(message: FromChild): void {
  out.write(`${JSON.stringify(message)}\n`);
}

function fail(id: number, code: FailureCode, thrown: unknown): void {
  const message = reasonOf(thrown);
  const reasons = [message, ...nativeErrors.splice(0)].join('; ').replace(/\s+/g, ' ').trim();
  send({ type: 'failed', id, code, message: reasons.slice(0, maxReasonChars) });
}

function measureAsciiPerToken(model: LlamaModel): number {
  const rates = samples.map((sample) => sample.length / model.tokenize(sample).length);
  // Names and numbers are cut finer than these samples.
  return Math.max(0.1, Math.min(...rates) * 0.9);
}

async function openModel(message: Extract<ToChild, { type: 'open' }>): Promise<void> {
  const { path, contextTokens, threads } = message;
  try {
    const llama = await getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      maxThreads: threads,
      logger: (level, text) => {
        // The last reasons are kept for an error message; nothing is printed.
        if (level === 'error' || level === 'fatal') nativeErrors.push(text.trim());
        if (nativeErrors.length > 4) nativeErrors.shift();
      },
    });
    const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
    const size = { contextSize: Math.min(contextTokens, model.trainContextSize), threads };
    let { contextSize } = size;
    if (message.use === 'embed') {
      openedForTexts = { model, embedding: await model.createEmbeddingContext(size) };
    } else if (message.use === 'rank') {
      openedForTexts = { model, ranking: await model.createRankingContext(size) };
    } else {
      const context = await model.createContext(size);
      opened = { llama, model, sequence: context.getSequence() };
      contextSize = context.contextSize;
    }
    nativeErrors.length = 0;
    const asciiPerToken = measureAsciiPerToken(model);
    const dimensions = message.use === 'embed' ? model.embeddingVectorSize : 0;
    send({ type: 'ready', contextTokens: contextSize, asciiPerToken, dimensions });
  } catch (thrown) {
    // Native log lines arrive a moment after the error they explain.
    await setTimeout(50);
    fail(0, 'unavailable', thrown);
  }
}

function toHistory(turns: GenerateRequest['turns']): ChatHistoryItem[] {
  const history = turns.map(
    (turn): ChatHistoryItem =>
      turn.role === 'model'
        ? { type: 'model', response: [turn.text] }
        : { type: turn.role, text: turn.text },
  );
  return [...history, { type: 'model', response: [] }];
}

async function generate(message: Extract<ToChild, { type: 'generate' }>): Promise<void> {
  const { id, turns, maxTokens, grammar } = message;
  if (opened === undefined) return fail(id, 'internal', 'no model is open');
  const { llama, model, sequence } = opened;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const chat = new LlamaChat({ contextSequence: sequence });
    const history = toHistory(turns);
    const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history });
    const promptTokens = contextText.tokenize(model.tokenizer).length;
    const room = sequence.contextSize - promptTokens - 1;
    if (room < minReplyTokens) {
      const detail = `the prompt has ${promptTokens} tokens, the model's context ${sequence.contextSize}`;
      return fail(id, 'invalid-argument', detail);
    }
    const before = sequence.tokenMeter.getState();
    const response = await chat.generateResponse(history, {
      maxTokens: Math.min(maxTokens, room),
      signal: abort.signal,
      onTextChunk: (delta) => {
        // A reply line holds any piece: JSON escapes a character with six at most.
        const step = Math.floor(maxReplyChars / 8);
        for (let at = 0; at < delta.length; at += step) {
          send({ type: 'text', id, delta: delta.slice(at, at + step) });
        }
      },
      // The library's types want schemas written out in the source; this one is made at run time.
      // Small models go round in circles in free text; under a grammar repeats are needed.
      ...(grammar === undefined
        ? { repeatPenalty: { lastTokens: 128, penalty: 1.15, frequencyPenalty: 0.05 } }
        : { grammar: await llama.createGrammarForJsonSchema(grammar as { type: 'object' }) }),
    });
    const used = sequence.tokenMeter.diff(before);
    const stop = response.metadata.stopReason === 'maxTokens' ? 'length' : 'end';
    send({
      type: 'end',
      id,
      stop,
      inputTokens: promptTokens,
      outputTokens: used.usedOutputTokens,
    });
  } catch (thrown) {
    fail(id, abort.signal.aborted ? 'canceled' : 'unavailable', thrown);
  } finally {
    running.delete(id);
  }
}

/** One text after the other, so that a caller who gives up waits for one. */
async function workOnTexts(message: { id: number } & TextsRequest): Promise<void> {
  const { id, texts } = message;
  if (openedForTexts === undefined) return fail(id, 'internal', 'no model is open for texts');
  const { model, embedding, ranking } = openedForTexts;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const scores: number[] = [];
    const cut = (text: string, tokens: number) => model.tokenize(text).slice(0, tokens);
    for (const text of texts) {
      if (abort.signal.aborted) return fail(id, 'canceled', 'it was given up');
      if (message.type === 'embed' && embedding !== undefined) {
        const tokens = cut(text, maxTextTokens - spareTokens);
        const { vector } = await embedding.getEmbeddingFor(tokens);
        const bytes = Buffer.from(Float32Array.from(vector).buffer);
        send({ type: 'vector', id, vector: bytes.toString('base64') });
      } else if (message.type === 'rank' && ranking !== undefined) {
        const options = { onOverflow: 'maxChunk' } as const;
        scores.push(await ranking.rank(message.question, text, options));
      } else return fail(id, 'internal', `the model is not open for "${message.type}"`);
    }
    if (message.type === 'rank') send({ type: 'scores', id, scores });
    send({ type: 'end', id, stop: 'end', inputTokens: 0, outputTokens: 0 });
  } catch (thrown) {
    fail(id, 'unavailable', thrown);
  } finally {
    running.delete(id);
  }
}

function receive(line: string): void {
  if (line.length > maxRequestChars) process.exit(1);
  // The kernel is trusted by this process.
  const message = JSON.parse(line) as ToChild;
  if (message.type === 'cancel') running.get(message.id)?.abort();
  else if (message.type === 'open') void openModel(message);
  else if (message.type === 'generate') void generate(message);
  else void workOnTexts(message);
}

skipBinaryTest();
process.stdin.setEncoding('utf8');
process.stdin.on('data', splitLines(maxRequestChars, receive));
// The kernel is gone; native threads may be busy, so nothing less ends this at once.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
out.on('error', () => process.kill(process.pid, 'SIGKILL'));
