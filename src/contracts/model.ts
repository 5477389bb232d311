import type { JsonObject } from './tool.ts';

export type ModelTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** a plugin that did not come along with cuervo: description and schema are its own words */
  wordsOf?: string;
};

export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls?: readonly ModelToolCall[] }
  /** results of the tool calls of the message before, one each, in their order */
  | { role: 'tool'; results: readonly { id: string; text: string; isError: boolean }[] };

export type ModelToolCall = {
  id: string;
  name: string;
  input: JsonObject;
  /** why what the model wrote as the input is none; `input` is empty then, and nothing is called */
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
};

export type ModelUsage = { inputTokens: number; outputTokens: number };

export type ModelEvent =
  | { type: 'text'; delta: string }
  | { type: 'tool-call'; call: ModelToolCall }
  /** always last */
  | { type: 'end'; stop: 'end' | 'tool-calls' | 'length' | 'refused'; usage: ModelUsage };

/** A chat model. The caller owns it. */
export type ChatModel = AsyncDisposable & {
  /** e.g. `claude-sonnet-4-5` or the file name of a GGUF */
  readonly name: string;
  /** true when a request leaves this machine */
  readonly remote: boolean;
  /** tokens of context; a request above it is refused by the provider */
  readonly contextTokens: number;
  /** SHA-256 of the weights, hex, for local models; else the provider's model name */
  digest(): Promise<string>;
  countTokens(text: string): number;
  /** @throws {KernelError} `unavailable` when the provider is not there, `canceled` on abort */
  stream(
    request: ModelRequest,
    options: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined>;
};

/** What a model may do in `ask`. */
export type ModelRole = 'choose' | 'word';
