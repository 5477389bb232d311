import { KernelError } from '../contracts/error.ts';
import type {
  ChatModel,
  ModelAsks,
  ModelEvent,
  ModelPrice,
  ModelRequest,
} from '../contracts/model.ts';
import { readEvents } from './anthropic/read-events.ts';
import { optionalFields, toParams } from './anthropic/to-params.ts';
import { estimateTokens } from './count-tokens.ts';
import { askProvider, sdkOptions, withoutRefused } from './remote/ask-provider.ts';
import { remoteSilence, type SilenceLimits } from './remote/limits.ts';
import { toolNamesOf } from './remote/parse-calls.ts';
import { readWords } from './words/read-words.ts';

export const anthropicUrl = 'https://api.anthropic.com';
/** The smallest context among the provider's current models. */
const defaultContextTokens = 200_000;
/** English and code have 3 to 4.5 characters a token with this provider; the low end counts. */
const asciiPerToken = 3;
/** Thoughts count as words of the answer. */
const maxAnswerTokens = { plain: 4_000, thinking: 16_000 };

export type AnthropicOptions = {
  /** the provider's name of the model */
  model: string;
  /** never printed, logged or put into an error */
  apiKey: string;
  /** default `https://api.anthropic.com` */
  baseUrl?: string;
  /** default 200 000 */
  contextTokens?: number;
  price?: ModelPrice | undefined;
  /** lets the model think before it answers, as much as it finds right */
  thinks?: boolean;
  /** `thinking` counts more than `thinks` */
  asks?: ModelAsks;
  /** told once of each optional field that the server refuses */
  onRefused?: (field: string) => void;
  /** default 60 s, both */
  silence?: Partial<SilenceLimits>;
  /** until a connection is there; default 5 s */
  connectMs?: number;
};

/**
 * A model of the Anthropic API by its official SDK, which is loaded here and not before. Nothing
 * is sent until `stream()` is called, and each call sends one request, and one more for each optional
 * field that the server turns out to refuse.
 *
 * @throws {KernelError} `unavailable` without a key; from `stream()` an error with a `ModelFault`,
 *   or `canceled` on abort
 */
export async function openAnthropic(options: AnthropicOptions): Promise<ChatModel> {
  const { model, apiKey, asks = {} } = options;
  const thinks = asks.thinking === undefined ? options.thinks === true : asks.thinking !== 'off';
  const baseUrl = (options.baseUrl ?? anthropicUrl).replace(/\/+$/, '');
  const answerTokens = thinks ? maxAnswerTokens.thinking : maxAnswerTokens.plain;
  const silence = { ...remoteSilence, ...options.silence };
  const contextTokens = options.contextTokens ?? defaultContextTokens;
  if (apiKey.trim() === '') {
    throw new KernelError('unavailable', `no key for the model "${model}"`, {
      hint: 'set ANTHROPIC_API_KEY, or run without a model: --model none',
    });
  }
  const { Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    apiKey,
    baseURL: baseUrl,
    ...sdkOptions(silence, options.connectMs),
    // Traces would carry what was asked to wherever the process sends them.
    openTelemetry: false,
  });
  const refused = new Set<string>();
  let round = 0;
  const address = 'the network and ANTHROPIC_BASE_URL';
  const errors = { model, baseUrl, apiKey, keyName: 'ANTHROPIC_API_KEY', address };

  function stream(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const names = toolNamesOf(request);
    const make = () => toParams(model, request, names, { thinks, asks, refused });
    let params = make();
    const attempt = (): AsyncGenerator<ModelEvent, void, undefined> => {
      params = make();
      round += 1;
      const events = askProvider(
        { silence, errors, signal },
        (given) => client.messages.create(params, given),
        (parts) => readEvents(parts, { model, names }),
      );
      return readWords(events, request, { round });
    };
    const sent = (field: string): boolean => field === 'cache_control' || field in params;
    const { onRefused } = options;
    return withoutRefused({ fields: optionalFields, refused, attempt, sent, onRefused });
  }

  return {
    name: model,
    remote: true,
    origin: baseUrl,
    contextTokens,
    reach: {
      promptTokens: contextTokens - answerTokens,
      answerTokens,
      rounds: Number.POSITIVE_INFINITY,
      tools: 12,
      nativeTools: true,
      mustCall: false,
    },
    sees: true,
    asks,
    price: options.price,
    digest: async () => model,
    countTokens: (text) => estimateTokens(text, asciiPerToken),
    stream,
    // The SDK keeps no connection that would have to be closed.
    [Symbol.asyncDispose]: async () => {},
  };
}
