import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelAsks, ModelImage, ModelMessage, ModelRequest } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import type { OptionalFields } from '../remote/ask-provider.ts';
import type { ToolNames } from '../remote/parse-calls.ts';

function toMessages(
  message: ModelMessage,
  { names, refused }: ParamOptions,
): ChatCompletionMessageParam[] {
  if (message.role === 'user')
    return [{ role: 'user', content: withImages(message.text, message.images) }];
  if (message.role === 'tool') {
    return message.results.map(({ id, text, isError }) => ({
      role: 'tool',
      tool_call_id: id,
      content: isError ? `Error: ${text}` : text,
    }));
  }
  const calls = (message.toolCalls ?? []).map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: names.toProvider(call.name), arguments: JSON.stringify(call.input) },
  }));
  return [
    {
      role: 'assistant',
      content:
        message.text !== '' || calls.length === 0 || refused.has('content') ? message.text : null,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

/** Words, and images as addresses that hold them. */
function withImages(
  text: string,
  images: readonly ModelImage[] = [],
): string | ChatCompletionContentPart[] {
  if (images.length === 0) return text;
  return [
    ...images.map(({ type, data }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${type};base64,${data}` },
    })),
    { type: 'text', text },
  ];
}

export type ParamOptions = {
  model: string;
  names: ToolNames;
  /** possible names of the field for the longest answer, the likeliest first */
  maxTokensKeys: readonly string[];
  asks: ModelAsks;
  /** the `optionalFields` that the server refuses */
  refused: ReadonlySet<string>;
};

/**
 * What a request can do without. Without `tools` they stand in the prompt, and calls in the reply,
 * as JSON; without `stream` the reply comes at once.
 */
export const optionalFields: OptionalFields = {
  stream_options: /stream_options|include_usage/,
  max_tokens: /\bmax_tokens\b/,
  max_completion_tokens: /max_completion_tokens/,
  temperature: /\btemperature\b/,
  reasoning_effort: /\breasoning[_.]effort\b/,
  tool_choice: /tool_choice/,
  additionalProperties: /additionalProperties/,
  content:
    /\bcontent\b[^.]{0,80}\b(?:null|none|string|str|required|missing|type|field)\b|\b(?:null|none|missing)\b[^.]{0,80}\bcontent\b/i,
  stream:
    /\bstream(?:ing)?\b[^.]{0,80}\b(?:support|true|tools?\b)|(?:support|\btools?\b)[^.]{0,80}\bstream(?:ing)?\b/i,
};

/** A request in the form of chat completions; what stays the same from round to round comes first. */
export function toParams(
  request: ModelRequest,
  options: ParamOptions,
): ChatCompletionCreateParamsStreaming {
  const { model, names, maxTokensKeys, refused } = options;
  const { temperature, thinking } = options.asks;
  const nativeTools = !refused.has('tools');
  const maxTokensKey = maxTokensKeys.find((key) => !refused.has(key));
  const system: ChatCompletionMessageParam[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  const messages = nativeTools
    ? [...system, ...request.messages.flatMap((message) => toMessages(message, options))]
    : toTextMessages(request, names).map(({ role, content, images }) =>
        role === 'user' ? { role, content: withImages(content, images) } : { role, content },
      );
  const tools = nativeTools
    ? request.tools.map(
        (tool): ChatCompletionFunctionTool => ({
          type: 'function',
          function: {
            name: names.toProvider(tool.name),
            description: tool.description,
            parameters: { ...schemaOf(tool.inputSchema, refused), type: 'object' },
          },
        }),
      )
    : [];
  return {
    model,
    messages,
    stream: true,
    ...(refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(maxTokensKey === undefined ? {} : { [maxTokensKey]: request.maxOutputTokens }),
    ...(temperature === undefined || refused.has('temperature') ? {} : { temperature }),
    ...(thinking === undefined || refused.has('reasoning_effort')
      ? {}
      : { reasoning_effort: thinking === 'off' ? 'none' : thinking }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || refused.has('tool_choice')
      ? {}
      : { tool_choice: request.toolChoice }),
  };
}

function schemaOf(schema: JsonObject, refused: ReadonlySet<string>): JsonObject {
  if (!refused.has('additionalProperties')) return schema;
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key === 'additionalProperties' ? undefined : value)),
  );
}

type TextMessage = {
  role: 'system' | 'user' | 'assistant';
  content: string;
  images?: readonly ModelImage[];
};

/**
 * A request to a model without tool calls: it reads its tools in the system text, writes calls as
 * JSON, and reads results as words of the user.
 */
function toTextMessages(request: ModelRequest, names: ToolNames): TextMessage[] {
  const tools = request.toolChoice === 'none' ? [] : request.tools;
  const offered = tools.map(
    (tool) =>
      `- ${names.toProvider(tool.name)}: ${tool.description}\n  input: ${JSON.stringify(tool.inputSchema)}`,
  );
  const how =
    request.toolChoice === 'required'
      ? 'Reply with one JSON object and nothing else: {"tool": NAME, "input": {…}}.'
      : 'To call a tool, reply with one JSON object and nothing else: {"tool": NAME, "input": {…}}. To answer, write plain words.';
  const system = tools.length === 0 ? [] : ['Tools:', ...offered, how];
  const said = [
    { role: 'system' as const, content: [request.system, ...system].join('\n').trim() },
    ...request.messages.map((message) => textMessage(message, names)),
  ];
  return joinNeighbours(said.filter(({ content }) => content !== ''));
}

function textMessage(message: ModelMessage, names: ToolNames): TextMessage {
  if (message.role === 'user') {
    const { text, images = [] } = message;
    return { role: 'user', content: text, ...(images.length === 0 ? {} : { images }) };
  }
  if (message.role === 'tool') {
    const results = message.results.map(({ text, isError }) => (isError ? `Error: ${text}` : text));
    return { role: 'user', content: results.join('\n\n') };
  }
  const calls = (message.toolCalls ?? []).map(({ name, input }) =>
    JSON.stringify({ tool: names.toProvider(name), input }),
  );
  const content = [message.text, ...calls].filter((part) => part !== '').join('\n');
  return { role: 'assistant', content };
}

/** Chat templates expect the roles to alternate. */
function joinNeighbours(messages: readonly TextMessage[]): TextMessage[] {
  const joined: TextMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) {
      joined.push({ ...message });
      continue;
    }
    last.content += `\n\n${message.content}`;
    if (message.images !== undefined) last.images = [...(last.images ?? []), ...message.images];
  }
  return joined;
}
