import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ModelMessage, ModelRequest } from '../../contracts/model.ts';
import type { ToolNames } from '../remote/tool-names.ts';
import { toTextMessages } from './to-text-messages.ts';

function toMessages(message: ModelMessage, names: ToolNames): ChatCompletionMessageParam[] {
  if (message.role === 'user') return [{ role: 'user', content: message.text }];
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
      content: message.text === '' && calls.length > 0 ? null : message.text,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

export type ParamOptions = {
  model: string;
  names: ToolNames;
  /** false: tools stand in the prompt, and calls in the reply, as JSON */
  nativeTools: boolean;
  /** how the server calls the longest answer */
  maxTokensKey: 'max_tokens' | 'max_completion_tokens';
};

/** A request in the form of chat completions; what stays the same from round to round comes first. */
export function toParams(
  request: ModelRequest,
  { model, names, nativeTools, maxTokensKey }: ParamOptions,
): ChatCompletionCreateParamsStreaming {
  const system: ChatCompletionMessageParam[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  const messages = nativeTools
    ? [...system, ...request.messages.flatMap((message) => toMessages(message, names))]
    : toTextMessages(request, names);
  const tools = nativeTools
    ? request.tools.map(
        (tool): ChatCompletionFunctionTool => ({
          type: 'function',
          function: {
            name: names.toProvider(tool.name),
            description: tool.description,
            parameters: { ...tool.inputSchema, type: 'object' },
          },
        }),
      )
    : [];
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    [maxTokensKey]: request.maxOutputTokens,
    ...(tools.length === 0 ? {} : { tools, tool_choice: request.toolChoice }),
  };
}
