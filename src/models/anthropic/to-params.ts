import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelMessage, ModelRequest } from '../../contracts/model.ts';
import type { ToolNames } from './tool-names.ts';

function toMessage(message: ModelMessage, names: ToolNames): MessageParam {
  if (message.role === 'user') return { role: 'user', content: message.text };
  if (message.role === 'tool') {
    const content = message.results.map(
      (result): ContentBlockParam => ({
        type: 'tool_result',
        tool_use_id: result.id,
        content: result.text,
        is_error: result.isError,
      }),
    );
    return { role: 'user', content };
  }
  const calls = (message.toolCalls ?? []).map(
    (call): ContentBlockParam => ({
      type: 'tool_use',
      id: call.id,
      name: names.toProvider(call.name),
      input: call.input,
    }),
  );
  // The provider refuses empty text blocks.
  const text: ContentBlockParam[] =
    message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }];
  return { role: 'assistant', content: [...text, ...calls] };
}

/** Earlier calls in a request need the tools declared, even where none may be called. */
function toolChoice(
  request: ModelRequest,
): Pick<MessageCreateParamsStreaming, 'tool_choice'> | Record<string, never> {
  if (request.tools.length === 0) return {};
  const type = { auto: 'auto', required: 'any', none: 'none' } as const;
  return { tool_choice: { type: type[request.toolChoice] } };
}

/** A request in the form of the Messages API. */
export function toParams(
  model: string,
  request: ModelRequest,
  names: ToolNames,
): MessageCreateParamsStreaming {
  const tools = request.tools.map(
    (tool): Tool => ({
      name: names.toProvider(tool.name),
      description: tool.description,
      input_schema: { ...tool.inputSchema, type: 'object' },
    }),
  );
  return {
    model,
    stream: true,
    max_tokens: request.maxOutputTokens,
    messages: request.messages.map((message) => toMessage(message, names)),
    ...(request.system === '' ? {} : { system: request.system }),
    ...(tools.length === 0 ? {} : { tools }),
    ...toolChoice(request),
  };
}
