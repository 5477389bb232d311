import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelImage } from '../../contracts/image.ts';
import type { ModelAsks, ModelMessage, ModelRequest } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import type { ToolNames } from '../remote/tool-names.ts';
import type { OptionalFields } from '../remote/without-refused.ts';
import { toTextMessages } from './to-text-messages.ts';

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
