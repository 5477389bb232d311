import type {
  ChatModel,
  ModelAsks,
  ModelEvent,
  ModelPrice,
  ModelRequest,
} from '../contracts/model.ts';
import { estimateTokens } from './count-tokens.ts';
import { readChunks } from './openai/read-chunks.ts';
import { optionalFields, toParams } from './openai/to-params.ts';
import { askProvider, sdkOptions, withoutRefused } from './remote/ask-provider.ts';
import { isWhole } from './remote/bounded-fetch.ts';
import { localSilence, remoteSilence, type SilenceLimits } from './remote/limits.ts';
import { toolNamesOf } from './remote/parse-calls.ts';
import { readWords } from './words/read-words.ts';

/** English and code have 3 to 4.5 characters a token with most vocabularies; the low end counts. */
const asciiPerToken = 3;
/** The assumed context of a local server that tells none: some cut prompts silently. */
const localContextTokens = 4_096;
const remoteContextTokens = 32_768;
/** How many tools are shown below each context size, since their schemas take room. */
const toolsByContext: readonly (readonly [contextTokens: number, tools: number])[] = [
  [8_192, 4],
  [16_384, 8],
  [Number.POSITIVE_INFINITY, 12],
];
const answerTokens = 4_000;
/** The one server that has another name for the longest answer. */
const openAiHost = 'api.openai.com';

export type OpenAiOptions = {
  /** as `cuervo` names it, e.g. `ollama/qwen3:4b` */
  name: string;
  /** the server's name of the model */
  model: string;
  /** up to and with `/v1` */
  baseUrl: string;
  /** never printed, logged or put into an error; empty: none is sent */
  apiKey: string;
  /** where the person keeps the key, for errors */
  keyName: string;
  /** a person said that nothing leaves this machine */
  isLocal: boolean;
  /** the context in force; 4096 for a local server that does not say, else 32 768 */
  contextTokens?: number | undefined;
  price?: ModelPrice | undefined;
  /** whether the model takes tools; tried when undefined */
  nativeTools?: boolean | undefined;
  /** whether it reads images; taken for no when undefined */
  sees?: boolean | undefined;
  asks?: ModelAsks;
  /** fields that the server is known to refuse; see `optionalFields` */
  refused?: readonly string[] | undefined;
  /** called once for each further refused field, and for `tools` */
  onRefused?: (field: string) => void;
  silence?: Partial<SilenceLimits>;
  /** until a connection is there; default 5 s */
  connectMs?: number;
};

/**
 * A model of any server that speaks chat completions, by the official SDK of OpenAI, which is
 * loaded here and not before. Nothing is sent until `stream()` is called, and each call sends one
 * request, and one more for each optional field that the server turns out to refuse.
 *
 * @throws {KernelError} from `stream()` with a `ModelFault`, or `canceled` on abort
 */
export async function openOpenAi(options: OpenAiOptions): Promise<ChatModel> {
  const { name, model, apiKey, keyName, isLocal, asks = {} } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const silence = { ...(isLocal ? localSilence : remoteSilence), ...options.silence };
  const contextTokens =
    options.contextTokens ?? (isLocal ? localContextTokens : remoteContextTokens);
  const maxAnswer = Math.min(answerTokens, Math.floor(contextTokens / 4));
  const { OpenAI } = await import('openai');
  const refused = new Set(options.refused);
  const sdk = sdkOptions(silence, options.connectMs);
  const client = new OpenAI({
    // The SDK requires a key. Without one, its header is removed below.
    apiKey: apiKey === '' ? 'none' : apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    baseURL: baseUrl,
    ...sdk,
    // The SDK reads only events, so a reply without a stream is turned into one event.
    fetch: (url, init) => sdk.fetch(url, refused.has('stream') ? unstreamed(init) : init),
    ...(apiKey === '' ? { defaultHeaders: { Authorization: null } } : {}),
  });
  const address = `that the server of ${name} runs there`;
  const errors = { model, baseUrl, apiKey, keyName, address };
  if (options.nativeTools === false) refused.add('tools');
  const usual = ['max_tokens', 'max_completion_tokens'];
  const maxTokensKeys = new URL(baseUrl).hostname === openAiHost ? usual.toReversed() : usual;
  let round = 0;

  function stream(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const names = toolNamesOf(request);
    const make = () => toParams(request, { model, names, maxTokensKeys, asks, refused });
    let params = make();
    const attempt = (): AsyncGenerator<ModelEvent, void, undefined> => {
      params = make();
      round += 1;
      let answer: Response | undefined;
      const events = askProvider(
        { silence, errors, signal },
        async (given) => {
          const made = await client.chat.completions.create(params, given).withResponse();
          answer = made.response;
          return made.data;
        },
        (chunks) =>
          readChunks(chunks, {
            model,
            names,
            isWhole: () => answer !== undefined && isWhole(answer),
          }),
      );
      return readWords(events, request, { tellsCalls: refused.has('tools'), round });
    };
    const sent = (field: string): boolean => {
      if (field === 'content') return params.messages.some(({ content }) => content === null);
      if (field === 'additionalProperties')
        return JSON.stringify(params.tools ?? []).includes(field);
      if (field === 'tools' && options.nativeTools === true) return false;
      return field in params;
    };
    const { onRefused } = options;
    return withoutRefused({ fields: optionalFields, refused, attempt, sent, onRefused });
  }

  return {
    name,
    remote: !isLocal,
    origin: baseUrl,
    contextTokens,
    reach: {
      promptTokens: contextTokens - maxAnswer,
      answerTokens: maxAnswer,
      rounds: Number.POSITIVE_INFINITY,
      tools: toolsByContext.find(([below]) => contextTokens < below)?.[1] ?? 12,
      // Schemas stand in the prompt in both forms.
      nativeTools: true,
      mustCall: false,
    },
    sees: options.sees === true,
    asks,
    price: isLocal ? { input: 0, output: 0 } : options.price,
    digest: async () => `${baseUrl}#${model}`,
    countTokens: (text) => estimateTokens(text, asciiPerToken),
    stream,
    // The SDK keeps no connection that would have to be closed.
    [Symbol.asyncDispose]: async () => {},
  };
}

function unstreamed(init: RequestInit | undefined): RequestInit {
  const { stream_options: _, ...body } = JSON.parse(String(init?.body));
  return { ...init, body: JSON.stringify({ ...body, stream: false }) };
}
