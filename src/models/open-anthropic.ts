import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { boundedFetch } from './anthropic/bounded-fetch.ts';
import { readEvents } from './anthropic/read-events.ts';
import { toKernelError } from './anthropic/to-kernel-error.ts';
import { toParams } from './anthropic/to-params.ts';
import { createToolNames, namesIn } from './anthropic/tool-names.ts';
import { estimateTokens } from './estimate-tokens.ts';

const defaultBaseUrl = 'https://api.anthropic.com';
/** The smallest context among the provider's current models. */
const contextTokens = 200_000;
/** English and code have 3 to 4.5 characters a token with this provider; the low end counts. */
const asciiPerToken = 3;
const defaultTimeoutMs = 60_000;
const defaultRetries = 2;
/** For the body of an error, once its status is known. */
const errorBodyMs = 5_000;

export type AnthropicOptions = {
  /** the provider's name of the model */
  model: string;
  /** never printed, logged or put into an error */
  apiKey: string;
  /** default `https://api.anthropic.com` */
  baseUrl?: string;
  /** further attempts on 408, 409, 429, 5xx and network errors before the first event; default 2 */
  maxRetries?: number;
  /** longest silence: until the answer begins, and between its events; default 60 000 */
  timeoutMs?: number;
};

/** Ends with `TimeoutError` when the events stop coming. */
async function* watchSilence(
  events: AsyncIterable<RawMessageStreamEvent>,
  timeoutMs: number,
  stop: AbortController,
): AsyncGenerator<RawMessageStreamEvent, void, undefined> {
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(silence(timeoutMs)), timeoutMs);
  };
  try {
    arm();
    for await (const event of events) {
      // What the reader does with an event is not the provider's silence.
      clearTimeout(timer);
      yield event;
      arm();
    }
  } finally {
    clearTimeout(timer);
  }
}

function silence(timeoutMs: number): KernelError {
  return new KernelError('unavailable', `the model sent nothing for ${timeoutMs / 1_000} s`, {
    hint: 'ask again, or run without a model: --model none',
  });
}

/**
 * A model of the Anthropic API by its official SDK, which is loaded here and not before. Nothing
 * is sent until `stream()` is called.
 *
 * @throws {KernelError} `unavailable` without a key; from `stream()`: `unavailable` when the
 *   provider is not there, refuses the key or the model, limits the rate or gives an empty answer,
 *   `invalid-argument` when it refuses the request, `canceled` on abort
 */
export async function openAnthropic(options: AnthropicOptions): Promise<ChatModel> {
  const { model, apiKey } = options;
  const baseUrl = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, '');
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const maxRetries = options.maxRetries ?? defaultRetries;
  if (apiKey.trim() === '') {
    throw new KernelError('unavailable', `no key for the model "${model}"`, {
      hint: 'set ANTHROPIC_API_KEY, or run without a model: --model none',
    });
  }
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl,
    maxRetries,
    timeout: timeoutMs,
    fetch: boundedFetch({ maxErrorMs: Math.min(timeoutMs, errorBodyMs) }),
    // Only `src/cli` prints.
    logLevel: 'off',
    // Traces would carry what was asked to wherever the process sends them.
    openTelemetry: false,
  });
  const context = { model, baseUrl, apiKey, attempts: maxRetries + 1 };

  async function* stream(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const calls = request.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    const names = createToolNames(namesIn(request.tools, calls));
    let began = false;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    try {
      if (signal.aborted) throw signal.reason;
      const events = await client.messages.create(toParams(model, request, names), {
        signal: either,
      });
      began = true;
      yield* readEvents(watchSilence(events, timeoutMs, stop), names);
    } catch (thrown) {
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      if (stop.signal.aborted) throw KernelError.from(stop.signal.reason, 'unavailable');
      throw toKernelError(thrown, { ...context, began });
    }
  }

  return {
    name: model,
    remote: true,
    contextTokens,
    digest: async () => model,
    countTokens: (text) => estimateTokens(text, asciiPerToken),
    stream,
    // The SDK keeps no connection that would have to be closed.
    [Symbol.asyncDispose]: async () => {},
  };
}
