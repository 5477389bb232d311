/**
 * The model process: the only place that loads native llama.cpp code, so that an abort of it ends
 * this process and nothing else. Started by `openChild()`, never imported.
 */
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import {
  type ChatWrapper,
  getLlama,
  type Llama,
  LlamaChat,
  type LlamaContextSequence,
  type LlamaEmbeddingContext,
  type LlamaModel,
  type LlamaRankingContext,
  type Token,
} from 'node-llama-cpp';
import { reasonOf } from '../../contracts/error.ts';
import { readLines } from '../../lib/text/decode-text.ts';
import {
  callPrompts,
  readPrefix,
  sharedTokens,
  stablePrefix,
  toHistory,
  weighChoices,
  writeCall,
} from './calls.ts';
import {
  type ChatTurn,
  type FailureCode,
  type FromChild,
  maxReplyChars,
  maxRequestChars,
  maxTextTokens,
  replyFd,
  type Speed,
  type TextsRequest,
  type ToChild,
} from './parse-protocol.ts';
import { skipBinaryTest } from './skip-binary-test.ts';

const maxReasonChars = 500;
/** The least room for a reply; a prompt that leaves less is refused. */
const minReplyTokens = 8;

/** Samples of prose and code, as in prompts; the worse rate counts. */
const samples = [
  'The retry limit is read from the configuration when the client is opened, and every request that fails is tried again until it is reached.',
  'export function readLimit(config: Config): number {\n  return config.http?.maxRetries ?? 7; // src/http/retry.ts:12\n}\n',
];

const out = new Socket({ fd: replyFd });
const nativeErrors: string[] = [];
const running = new Map<number, AbortController>();
let opened:
  | { llama: Llama; model: LlamaModel; sequence: LlamaContextSequence; wrapper: ChatWrapper }
  | undefined;
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
  // Names and numbers take more tokens than these samples.
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
      const sequence = context.getSequence();
      const { chatWrapper: wrapper } = new LlamaChat({ contextSequence: sequence });
      opened = { llama, model, sequence, wrapper };
      contextSize = context.contextSize;
    }
    nativeErrors.length = 0;
    const asciiPerToken = measureAsciiPerToken(model);
    const dimensions = message.use === 'embed' ? model.embeddingVectorSize : 0;
    send({
      type: 'ready',
      contextTokens: contextSize,
      asciiPerToken,
      dimensions,
      trainedTokens: model.trainContextSize,
      hasTemplate: model.fileInfo.metadata.tokenizer?.chat_template !== undefined,
      memoryBytes: process.memoryUsage.rss(),
    });
  } catch (thrown) {
    // Native log lines arrive a moment after the error they explain.
    await setTimeout(50);
    fail(0, 'unavailable', thrown);
  }
}

async function generate(message: Extract<ToChild, { type: 'generate' }>): Promise<void> {
  const { id, turns, maxTokens } = message;
  if (opened === undefined) return fail(id, 'internal', 'no model is open');
  const { model, sequence, wrapper } = opened;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const chat = new LlamaChat({ contextSequence: sequence, chatWrapper: wrapper });
    const history = toHistory(turns);
    const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: history });
    const promptTokens = contextText.tokenize(model.tokenizer).length;
    const room = sequence.contextSize - promptTokens - 1;
    if (room < minReplyTokens) {
      return fail(id, 'invalid-argument', tooLong(promptTokens, sequence));
    }
    await begin(message, sequence, (some) =>
      wrapper
        .generateContextState({ chatHistory: toHistory(some) })
        .contextText.tokenize(model.tokenizer),
    );
    let outputTokens = 0;
    const response = await chat.generateResponse(history, {
      maxTokens: Math.min(maxTokens, room),
      signal: abort.signal,
      onTextChunk: (delta) => sendText(id, delta),
      onToken: (tokens) => {
        outputTokens += tokens.length;
      },
      // Small models go round in circles.
      repeatPenalty: { lastTokens: 128, penalty: 1.15, frequencyPenalty: 0.05 },
    });
    const stop = response.metadata.stopReason === 'maxTokens' ? 'length' : 'end';
    send({
      type: 'end',
      id,
      stop,
      inputTokens: promptTokens,
      outputTokens,
    });
  } catch (thrown) {
    fail(id, abort.signal.aborted ? 'canceled' : 'unavailable', thrown);
  } finally {
    running.delete(id);
  }
}

/** Answers `choose` with the odds of each tool, and `call` with the chosen tool's input. */
async function call(message: Extract<ToChild, { type: 'choose' | 'call' }>): Promise<void> {
  const { id, turns, offered } = message;
  if (opened === undefined) return fail(id, 'internal', 'no model is open');
  const { model, sequence, wrapper } = opened;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const prompts = callPrompts(model, wrapper, turns, offered);
    const inputTokens = Math.max(...prompts.map(({ length }) => length));
    const room = sequence.contextSize - inputTokens - 1;
    if (room < minReplyTokens) return fail(id, 'invalid-argument', tooLong(inputTokens, sequence));
    await begin(
      message,
      sequence,
      (some) => callPrompts(model, wrapper, some, offered)[0] as Token[],
    );
    let outputTokens = 0;
    if (message.type === 'choose') {
      const weigh = async (tokens: typeof prompts): Promise<number[]> =>
        (await weighChoices(sequence, tokens, sharedTokens(tokens), abort.signal)).map((weight) =>
          Math.max(weight, -1e6),
        );
      const neutral =
        message.neutral === undefined
          ? undefined
          : await weigh(callPrompts(model, wrapper, message.neutral, offered));
      const weights = await weigh(prompts);
      send({ type: 'weights', id, weights, ...(neutral === undefined ? {} : { neutral }) });
    } else {
      const { chosen, schema, maxTokens } = message;
      const prompt = prompts[chosen] ?? [];
      const written = await writeCall(opened, {
        ...{ prompt, schema, maxTokens: Math.min(maxTokens, room), signal: abort.signal },
      });
      outputTokens = written.tokens;
      sendText(id, written.text);
    }
    if (abort.signal.aborted) return fail(id, 'canceled', 'it was given up');
    send({ type: 'end', id, stop: 'end', inputTokens, outputTokens });
  } catch (thrown) {
    fail(id, abort.signal.aborted ? 'canceled' : 'unavailable', thrown);
  } finally {
    running.delete(id);
  }
}

/** Reads the beginning of a prompt, where a file is named for it. */
async function begin(
  { id, turns, file }: Pick<Extract<ToChild, { type: 'generate' }>, 'id' | 'turns' | 'file'>,
  sequence: LlamaContextSequence,
  render: (turns: readonly ChatTurn[]) => Token[],
): Promise<void> {
  if (file === undefined) return;
  const reply = await readPrefix(sequence, stablePrefix(render, turns), file);
  if (reply !== undefined) send({ type: 'state', id, ...reply });
}

async function measure(id: number): Promise<void> {
  if (opened === undefined) return fail(id, 'internal', 'no model is open');
  try {
    const speed = await measureSpeed(opened.model, opened.sequence);
    send({ type: 'speed', id, ...speed, memoryBytes: process.memoryUsage.rss() });
    send({ type: 'end', id, stop: 'end', inputTokens: 0, outputTokens: 0 });
  } catch (thrown) {
    fail(id, 'unavailable', thrown);
  }
}

function tooLong(promptTokens: number, { contextSize }: LlamaContextSequence): string {
  return `the prompt has ${promptTokens} tokens, the model's context ${contextSize}`;
}

/** A reply line holds any piece: JSON escapes a character with six at most. */
function sendText(id: number, text: string): void {
  const step = Math.floor(maxReplyChars / 8);
  for (let at = 0; at < text.length; at += step) {
    send({ type: 'text', id, delta: text.slice(at, at + step) });
  }
}

/** One text after the other, so that a caller who gives up waits for one text only. */
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
  else if (message.type === 'choose' || message.type === 'call') void call(message);
  else if (message.type === 'measure') void measure(message.id);
  else void workOnTexts(message);
}

skipBinaryTest();
// The kernel is gone; native threads may be busy, so nothing less ends this at once.
const endAtOnce = (): void => void process.kill(process.pid, 'SIGKILL');
out.on('error', endAtOnce);
void receiveAll().finally(endAtOnce);

async function receiveAll(): Promise<void> {
  const input = process.stdin.setEncoding('utf8');
  for await (const line of readLines(input, maxRequestChars)) receive(line);
}

/** Prose and code, as prompts have them. */
const sample =
  'The retry limit is read from the configuration when the client is opened, and every request that fails is tried again until it is reached.\nexport function readLimit(config: Config): number {\n  return config.http?.maxRetries ?? 7; // src/http/retry.ts:12\n}\n';
const promptTokens = 256;
const answerTokens = 24;
/** A model that is slower than this allows is measured by what it did until then. */
const maxMs = 20_000;

/** How fast this machine reads and writes with a model, by one prompt and one answer. */
export async function measureSpeed(
  model: LlamaModel,
  sequence: LlamaContextSequence,
): Promise<Speed> {
  const once = model.tokenize(sample);
  const size = Math.min(promptTokens, sequence.contextSize - answerTokens - 8);
  const prompt = Array.from({ length: size }, (_, index) => once[index % once.length] ?? 0);
  await sequence.clearHistory();
  // The first call reads the weights from the disk, which later ones do not.
  await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(0, 8) as typeof once);
  await sequence.clearHistory();
  const startMs = performance.now();
  const step = 64;
  let read = 0;
  while (read < prompt.length && performance.now() - startMs < maxMs) {
    const piece = prompt.slice(read, read + step) as typeof once;
    await sequence.evaluateWithoutGeneratingNewTokens(piece);
    read += piece.length;
  }
  const readMs = performance.now() - startMs;
  let token: Token | undefined = once.at(-1);
  let written = 0;
  const writeMs = performance.now();
  // One by one, without guessing the tokens that were read, as answers do.
  while (token !== undefined && token !== null && written < answerTokens) {
    const options = { generateNext: { token: true, options: { temperature: 0 } } };
    const results = await sequence.controlledEvaluate([[token, options]]);
    token = results.at(-1)?.next.token ?? undefined;
    written += 1;
    if (performance.now() - writeMs > maxMs) break;
  }
  const wroteMs = performance.now() - writeMs;
  await sequence.clearHistory();
  const perSecond = (count: number, ms: number): number => (count * 1_000) / Math.max(ms, 0.01);
  return { prefill: perSecond(read, readMs), decode: perSecond(written, wroteMs) };
}
