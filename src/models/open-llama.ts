import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Confine } from '../contracts/confined-program.ts';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelEvent, ModelRequest, ModelUsage } from '../contracts/model.ts';
import { modelError } from '../contracts/talk/model-fault.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { callSchema } from './llama/call-schema.ts';
import { checkGguf } from './llama/check-gguf.ts';
import { type LlamaChild, openChild } from './llama/open-child.ts';
import { parseCall } from './llama/parse-call.ts';
import { toTurns } from './llama/to-turns.ts';

/** Tokens that a local model reads: a thousand take about ten seconds on a CPU. */
const maxPromptTokens = 1_200;
const maxAnswerTokens = 160;

/** Room for evidence and an answer; more costs memory and, on a CPU, minutes of reading. */
const defaultContextTokens = 4_096;

export type LlamaOptions = {
  /** a GGUF file */
  path: string;
  /** entry of the model process: its built bundle, or `src/models/llama/child.ts` */
  childPath: string;
  /** the folder of its native code; see `llamaPackage()` */
  packages?: readonly string[];
  confine: Confine;
  /** at most the context the model was trained on; default 4096 */
  contextTokens?: number;
  /**
   * Default: cores − 1, at least 1. With every core taken and another process busy, a small model
   * was seen to take 98 s for what takes 0.03 s on one core less.
   */
  threads?: number;
  /** gives up an opening of the model, the first or a later one */
  signal?: AbortSignal;
};

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/**
 * A GGUF model in a process of its own: a native abort ends that process, the error says so, and
 * the next request starts another. Requests wait for each other.
 *
 * `toolChoice: 'required'` holds the reply to a JSON grammar of the tools; with `auto` and tools
 * the grammar also allows `{"tool":"answer"}`, upon which the answer is generated as free text in
 * a second pass. Token counts are estimates on the safe side, by a rate measured with the model's
 * own tokenizer.
 *
 * @throws {KernelError} `not-found` or `invalid-argument` for a path that is not a file, no GGUF or cut
 *   off, before native code sees it; `unavailable` when it cannot be loaded
 */
export async function openLlama(options: LlamaOptions): Promise<ChatModel> {
  const path = resolve(options.path);
  checkGguf(path);
  const start = (): Promise<LlamaChild> =>
    openChild({
      childPath: options.childPath,
      packages: options.packages,
      confine: options.confine,
      path,
      contextTokens: options.contextTokens ?? defaultContextTokens,
      threads: options.threads ?? Math.max(1, availableParallelism() - 1),
      use: 'chat',
      signal: options.signal,
    });
  const first = await start();
  const { contextTokens, asciiPerToken } = first;
  let child = Promise.resolve(first);
  let closed = false;
  let digest: Promise<string> | undefined;

  /** The running process, or a new one when it ended; one at a time. */
  function liveChild(): Promise<LlamaChild> {
    const previous = child;
    child = (async () => {
      if (closed) throw new KernelError('unavailable', `the model ${basename(path)} is closed`);
      const running = await previous.catch(() => undefined);
      return running?.alive ? running : start();
    })();
    return child;
  }

  async function* generateText(
    live: LlamaChild,
    request: ModelRequest,
    spent: ModelUsage,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const turns = toTurns(request, 'text');
    const maxTokens = request.maxOutputTokens;
    let empty = true;
    for await (const reply of live.generate({ turns, maxTokens }, { signal })) {
      if (reply.type === 'text') {
        empty &&= reply.delta.trim() === '';
        yield { type: 'text', delta: reply.delta };
        continue;
      }
      if (empty) throw emptyAnswer(path);
      const usage = addUsage(spent, reply);
      yield { type: 'end', stop: reply.stop, usage };
    }
  }

  async function* stream(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const live = await liveChild();
    const none: ModelUsage = { inputTokens: 0, outputTokens: 0 };
    if (request.tools.length === 0 || request.toolChoice === 'none') {
      yield* generateText(live, request, none, signal);
      return;
    }
    const mayAnswer = request.toolChoice === 'auto';
    const maxTokens = request.maxOutputTokens;
    const calls = callSchema(request.tools, { maxOutputTokens: maxTokens, mayAnswer });
    const { schema: grammar, offered } = calls;
    const turns = toTurns({ ...request, tools: offered }, mayAnswer ? 'choose' : 'call');
    let text = '';
    let usage = none;
    for await (const reply of live.generate({ turns, maxTokens, grammar }, { signal })) {
      if (reply.type === 'text') text += reply.delta;
      else usage = addUsage(none, reply);
    }
    const call = parseCall(text, offered);
    if (call === 'answer') {
      yield* generateText(live, request, usage, signal);
      return;
    }
    yield { type: 'tool-call', call: { id: 'call-1', name: call.tool, input: call.input } };
    yield { type: 'end', stop: 'tool-calls', usage };
  }

  return {
    name: basename(path),
    remote: false,
    contextTokens,
    reach: {
      promptTokens: Math.min(contextTokens - maxAnswerTokens, maxPromptTokens),
      answerTokens: maxAnswerTokens,
      // It chooses badly among many, and after few rounds it must answer.
      rounds: 2,
      tools: 8,
      nativeTools: false,
      mustCall: true,
    },
    price: { input: 0, output: 0 },
    digest() {
      digest ??= sha256(path);
      return digest;
    },
    countTokens: (text) => estimateTokens(text, asciiPerToken),
    stream,
    async [Symbol.asyncDispose]() {
      closed = true;
      // A process that failed to start has nothing left to close.
      const running = await child.catch(() => undefined);
      await running?.[Symbol.asyncDispose]();
    },
  };
}

function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

function emptyAnswer(path: string): KernelError {
  return modelError(
    { kind: 'empty' },
    `the model ${basename(path)} returned an empty answer`,
    'ask again, or run without a model: --model none',
  );
}
