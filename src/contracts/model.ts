import type { JsonObject } from './tool.ts';

export type ModelTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** a plugin that did not come along with cuervo: description and schema are its own words */
  wordsOf?: string;
  /** it changes nothing: what it is called with is there already */
  onlyReads?: boolean;
};

export type ModelMessage =
  | { role: 'user'; text: string; images?: readonly ModelImage[] }
  | {
      role: 'assistant';
      text: string;
      toolCalls?: readonly ModelToolCall[];
      /** the reply in the provider's own form, to be sent back as it came */
      raw?: readonly JsonObject[];
    }
  /** results of the tool calls of the message before, one each, in their order */
  | { role: 'tool'; results: readonly { id: string; text: string; isError: boolean }[] };

export type ModelToolCall = {
  id: string;
  name: string;
  input: JsonObject;
  /**
   * why the input that the model wrote is invalid; `input` is empty then and the tool is not called
   */
  fault?: string;
};

export type ModelRequest = {
  /** the question alone, guarded as the messages are, for a model that takes no messages */
  question: string;
  system: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** `required`: the reply must be a tool call; `none`: must not be one */
  toolChoice: 'auto' | 'required' | 'none';
  maxOutputTokens: number;
  /** what values of calls may be, for a model that is held to a grammar */
  values?: {
    /** files and folders that were found, at most 1,000 of which count */
    paths: readonly string[];
  };
};

/** How a model is to write; absent is the server's own choice. */
export type ModelAsks = {
  /** 0 to 2; of Anthropic at most 1 */
  temperature?: number;
  /** how much it thinks before it answers */
  thinking?: 'off' | 'low' | 'medium' | 'high';
};

export type ModelUsage = {
  /** all of the prompt, from a cache or not */
  inputTokens: number;
  outputTokens: number;
  /** of `inputTokens`, what came out of the provider's cache; absent where it does not say */
  cachedTokens?: number;
  /** of `inputTokens`, what was written into it */
  cacheWriteTokens?: number;
  /** what the provider says that the reply cost, in US dollars */
  usd?: number;
};

export type ModelStop =
  | 'end'
  | 'tool-calls'
  /** the reply reached `maxOutputTokens`, or the end of the context */
  | 'length'
  | 'refused'
  /** the provider wants its reply sent back, and goes on with it */
  | 'paused';

export type ModelEvent =
  | { type: 'text'; delta: string }
  | { type: 'tool-call'; call: ModelToolCall }
  /** all words before it turned out to be thoughts */
  | { type: 'thought' }
  /** always last */
  | {
      type: 'end';
      stop: ModelStop;
      usage: ModelUsage;
      /** see `ModelMessage` */
      raw?: readonly JsonObject[];
      /** the model that gave the reply in the place of the one that was asked */
      by?: string;
      /** the model that the server says it was, where it is another one than was asked */
      served?: string;
      /** requests that it took; absent for one */
      attempts?: number;
    };

/** US dollars for a million tokens. */
export type ModelPrice = {
  input: number;
  output: number;
  /** of input that comes out of the provider's cache; as `input` when absent */
  cached?: number;
  /** of input that is written into it; as `input` when absent */
  cacheWrite?: number;
};

/** How much of everything a model is given, and how. */
export type ModelReach = {
  /** of a prompt; at most the context less the answer */
  promptTokens: number;
  answerTokens: number;
  /** rounds of calls, after which it must answer */
  rounds: number;
  /** tools that it is shown */
  tools: number;
  /** whether tools are sent with their schemas; else the model reads a line of each in its prompt */
  nativeTools: boolean;
  /** it would answer at once and without evidence if it could */
  mustCall: boolean;
};

/** A chat model. The caller owns it. */
export type ChatModel = AsyncDisposable & {
  /** e.g. `claude-sonnet-4-5` or the file name of a GGUF */
  readonly name: string;
  /** true when a request leaves this machine */
  readonly remote: boolean;
  /** where requests go; undefined for a model in a process of our own */
  readonly origin?: string;
  /** tokens of context; a request above it is refused by the provider */
  readonly contextTokens: number;
  readonly reach: ModelReach;
  /** whether it reads images; absent for no */
  readonly sees?: boolean;
  /** absent where nothing is asked */
  readonly asks?: ModelAsks;
  /** undefined when unknown */
  readonly price: ModelPrice | undefined;
  /** SHA-256 of the weights, hex, for local models; else the provider's model name */
  digest(): Promise<string>;
  countTokens(text: string): number;
  /** @throws {KernelError} `unavailable` when the provider is not there, `canceled` on abort */
  stream(
    request: ModelRequest,
    options: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined>;
};

export type ModelRole = 'choose' | 'word';

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** An image as models are sent it. */
export type ModelImage = { type: ImageType /** base64 */; data: string };

/** An image that a person attached: a file of the workspace, or what an editor sent. */
export type AttachedImage = { path: string } | { source: string; type: string; data: string };

/** Those that one message can attach, and bytes of each: what the providers take. */
export const maxImages = 8;
export const maxImageBytes = 3_750_000;
/** About what providers count for an image of the largest size that they do not make smaller. */
export const imageTokens = 1_600;

/** How each form begins, in hex. */
const beginnings: readonly (readonly [ImageType, RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  // GIF87a and GIF89a
  ['image/gif', /^47494638(?:37|39)61/],
  // RIFF, a length, WEBP
  ['image/webp', /^52494646.{8}57454250/],
];

/** What an image is by its first bytes; undefined for what is none of these. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('hex');
  return beginnings.find(([, form]) => form.test(start))?.[0];
}

const names: Readonly<Record<string, ImageType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** What a file is by the end of its name; undefined for what is no image that models take. */
export function imageTypeNamed(path: string): ImageType | undefined {
  return names[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''];
}
