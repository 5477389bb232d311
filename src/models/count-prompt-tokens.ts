import type { ModelMessage, ModelRequest } from '../contracts/model.ts';
import { describeTools } from './describe-tools.ts';

/** Tokens that templates and message formats put around a message, a call or a tool. */
const frameTokens = 12;

function textsOf(message: ModelMessage): string[] {
  if (message.role === 'user') return [message.text];
  if (message.role === 'tool') return message.results.map((result) => result.text);
  const calls = (message.toolCalls ?? []).map((call) => call.name + JSON.stringify(call.input));
  return [message.text, ...calls];
}

function toolTexts(tools: ModelRequest['tools'], native: boolean): string[] {
  if (!native) return tools.map((tool) => describeTools([tool]));
  return tools.map(
    (tool) => `${tool.name} ${tool.description} ${JSON.stringify(tool.inputSchema)}`,
  );
}

/**
 * Tokens of a request as a provider will count them, rather too many: every text, every tool, and
 * a frame around each.
 *
 * @param options.nativeTools true: tools are sent with their whole schemas; false: the model reads
 *   a line of each in its prompt, and a grammar holds it to the schema
 */
export function countPromptTokens(
  parts: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
  options: { countTokens: (text: string) => number; nativeTools: boolean },
): number {
  const tools = toolTexts(parts.tools, options.nativeTools);
  const texts = [parts.system, ...parts.messages.flatMap(textsOf), ...tools];
  return texts.reduce((sum, text) => sum + frameTokens + options.countTokens(text), 0);
}
