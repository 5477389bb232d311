import type { ModelMessage, ModelRequest } from '../contracts/model.ts';

/** What templates and message formats put around a message, a call or a tool. */
const frameTokens = 12;

function textsOf(message: ModelMessage): string[] {
  if (message.role === 'user') return [message.text];
  if (message.role === 'tool') return message.results.map((result) => result.text);
  const calls = (message.toolCalls ?? []).map((call) => call.name + JSON.stringify(call.input));
  return [message.text, ...calls];
}

/**
 * Tokens of a request as a provider will count them, rather too many: every text, every tool with
 * its whole schema, and a frame around each.
 */
export function countPromptTokens(
  parts: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
  countTokens: (text: string) => number,
): number {
  const tools = parts.tools.map(
    (tool) => `${tool.name} ${tool.description} ${JSON.stringify(tool.inputSchema)}`,
  );
  const texts = [parts.system, ...parts.messages.flatMap(textsOf), ...tools];
  return texts.reduce((sum, text) => sum + frameTokens + countTokens(text), 0);
}
