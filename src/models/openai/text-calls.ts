import type { ModelMessage, ModelRequest, ModelToolCall } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { parseToolInput } from '../remote/parse-tool-input.ts';
import type { ToolNames } from '../remote/tool-names.ts';

type TextMessage = { role: 'system' | 'user' | 'assistant'; content: string };

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
  if (message.role === 'user') return { role: 'user', content: message.text };
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
    if (last?.role === message.role) last.content += `\n\n${message.content}`;
    else joined.push({ ...message });
  }
  return joined;
}

/** Where a call may begin: an object, a code block or the mark of a call. */
const opening = /(?:^|\n)[ \t]*(?:\{|```|<tool_call>|\[\s*\{)/;
/** What may still become one, at the end of what has come. */
const half = /(?:^|\n)[ \t]*(?:`{1,2}|<(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:l)?)?)?)?)?)?)?)?)?)?$/;

/** The words of a reply as they come, without what may turn out to be a call. */
export type TextCalls = {
  /** @returns what is certainly words */
  push(delta: string): string;
  /** @returns the calls, or the rest of the words */
  end(): { calls: ModelToolCall[]; text: string };
};

export function readTextCalls(names: ToolNames, round: string): TextCalls {
  let said = '';
  let held = '';
  return {
    push: (delta) => {
      held += delta;
      const whole = said + held;
      const at = firstHeld(whole);
      const free = whole.slice(said.length, Math.max(said.length, at));
      said += free;
      held = held.slice(free.length);
      return free;
    },
    end: () => {
      const calls = objectsIn(held).flatMap((value, index) => {
        const call = callOf(value, names, `call-${round}-${index + 1}`);
        return call === undefined ? [] : [call];
      });
      return calls.length > 0 ? { calls, text: '' } : { calls: [], text: held };
    },
  };
}

function firstHeld(text: string): number {
  const found = opening.exec(text) ?? half.exec(text);
  return found === null ? text.length : found.index;
}

/** JSON objects at the top of a text, in their order. */
function objectsIn(text: string): JsonObject[] {
  const found: JsonObject[] = [];
  for (let from = text.indexOf('{'); from >= 0; ) {
    const end = endOfObject(text, from);
    const value = end === undefined ? undefined : parseToolInput(text.slice(from, end));
    if (end !== undefined && value?.fault === undefined) found.push(value?.input ?? {});
    from = text.indexOf('{', end ?? from + 1);
  }
  return found;
}

/** Behind the brace that closes the one at `from`; undefined where there is none. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** As asked for, or as models write calls that were trained on another form. */
function callOf(value: JsonObject, names: ToolNames, id: string): ModelToolCall | undefined {
  const name = value.tool ?? value.name;
  const input = value.input ?? value.arguments ?? value.parameters ?? {};
  if (typeof name !== 'string') return undefined;
  const json = typeof input === 'string' ? input : JSON.stringify(input);
  return { id, name: names.fromProvider(name), ...parseToolInput(json) };
}
