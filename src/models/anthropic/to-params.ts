import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelAsks, ModelMessage, ModelRequest } from '../../contracts/model.ts';
import type { OptionalFields } from '../remote/ask-provider.ts';
import type { ToolNames } from '../remote/parse-calls.ts';

const breakpoint = { cache_control: { type: 'ephemeral' as const } };

function contentOf(message: ModelMessage, names: ToolNames): ContentBlockParam[] {
  if (message.role === 'user') {
    const images = (message.images ?? []).map(
      ({ type, data }): ContentBlockParam => ({
        type: 'image',
        source: { type: 'base64', media_type: type, data },
      }),
    );
    return [...images, { type: 'text', text: message.text }];
  }
  if (message.role === 'tool') {
    return message.results.map((result) => ({
      type: 'tool_result',
      tool_use_id: result.id,
      content: result.text,
      is_error: result.isError,
    }));
  }
  if (message.raw !== undefined) return message.raw as unknown as ContentBlockParam[];
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
  return [...text, ...calls];
}

type BlockMessage = { role: 'user' | 'assistant'; content: ContentBlockParam[] };

/** Neighbours of one role are one message. */
function toMessages(messages: readonly ModelMessage[], names: ToolNames): BlockMessage[] {
  const made: BlockMessage[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = contentOf(message, names);
    const last = made.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) made.push({ role, content });
  }
  return made;
}

/**
 * Marks the places up to which the provider caches a prompt: its end, for the next round, and the
 * end of the previous round, after which this one differs.
 */
function withBreakpoints(
  messages: readonly BlockMessage[],
  marks: Partial<typeof breakpoint>,
): MessageParam[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const ends = new Set(users.slice(-2));
  return messages.map((message, index) => {
    const { content } = message;
    const last = content.at(-1);
    if (!ends.has(index)) return message;
    if (last === undefined) return message;
    const marked = { ...last, ...marks } as ContentBlockParam;
    return { ...message, content: [...content.slice(0, -1), marked] };
  });
}

/** Earlier calls in a request need the tools declared, even where none may be called. */
function toolChoice(
  request: ModelRequest,
  thinks: boolean,
): Pick<MessageCreateParamsStreaming, 'tool_choice'> | Record<string, never> {
  if (request.tools.length === 0) return {};
  // A model that thinks cannot be made to call.
  const required = thinks ? 'auto' : 'any';
  const type = ({ auto: 'auto', required, none: 'none' } as const)[request.toolChoice];
  return { tool_choice: { type } };
}

/** Fields that a request can do without, if another server of this API refuses them. */
export const optionalFields: OptionalFields = {
  thinking: /\bthinking\b/,
  temperature: /\btemperature\b/,
  output_config: /\boutput_config\b|\beffort\b/,
  cache_control: /cache_control/,
  tool_choice: /tool_choice/,
};

/** A request in the form of the Messages API; what stays the same from round to round comes first. */
export function toParams(
  model: string,
  request: ModelRequest,
  names: ToolNames,
  how: { thinks: boolean; asks: ModelAsks; refused: ReadonlySet<string> },
): MessageCreateParamsStreaming {
  const { thinks, asks, refused } = how;
  const { temperature, thinking: effort = 'off' } = asks;
  // A model that thinks takes none.
  const isCool = temperature !== undefined && !thinks && !refused.has('temperature');
  const marks = refused.has('cache_control') ? {} : breakpoint;
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
    messages: withBreakpoints(toMessages(request.messages, names), marks),
    ...(request.system === ''
      ? {}
      : { system: [{ type: 'text', text: request.system, ...marks }] }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(thinks && !refused.has('thinking') ? { thinking: { type: 'adaptive' } } : {}),
    ...(thinks && effort !== 'off' && !refused.has('output_config')
      ? { output_config: { effort } }
      : {}),
    ...(isCool ? { temperature: Math.min(1, temperature) } : {}),
    ...(refused.has('tool_choice') ? {} : toolChoice(request, thinks)),
  };
}
