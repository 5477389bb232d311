import type { ModelImage } from '../../contracts/image.ts';
import type { ModelMessage, ModelRequest } from '../../contracts/model.ts';
import type { ToolNames } from '../remote/tool-names.ts';

type TextMessage = {
  role: 'system' | 'user' | 'assistant';
  content: string;
  images?: readonly ModelImage[];
};

/**
 * A request to a model without tool calls: it reads its tools in the system text, writes calls as
 * JSON, and reads results as words of the user.
 */
export function toTextMessages(request: ModelRequest, names: ToolNames): TextMessage[] {
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
