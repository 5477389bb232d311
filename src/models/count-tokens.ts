import {
  imageTokens,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
} from '../contracts/model.ts';
import { isObject } from '../contracts/tool.ts';

/** Tokens that templates and message formats put around a message, a call or a tool. */
const frameTokens = 12;

function textsOf(message: ModelMessage): string[] {
  if (message.role === 'user') return [message.text];
  if (message.role === 'tool') return message.results.map((result) => result.text);
  const calls = (message.toolCalls ?? []).map((call) => call.name + JSON.stringify(call.input));
  return [message.text, ...calls];
}

function imagesOf(message: ModelMessage): number {
  return message.role === 'user' ? (message.images?.length ?? 0) : 0;
}

function toolTexts(tools: ModelRequest['tools'], native: boolean): string[] {
  if (!native) return tools.map((tool) => describeTools([tool]));
  return tools.map(
    (tool) => `${tool.name} ${tool.description} ${JSON.stringify(tool.inputSchema)}`,
  );
}

/**
 * Tokens of a request as a provider will count them, rather too many: every text, every tool, every
 * image, and a frame around each.
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
  const images = parts.messages.reduce((sum, message) => sum + imagesOf(message), 0);
  const start = images * imageTokens;
  return texts.reduce((sum, text) => sum + frameTokens + options.countTokens(text), start);
}

/**
 * Tokens of a text without its tokenizer: rather too many than too few, because a budget that is
 * believed must hold. ASCII by a measured or given rate, everything else one token a UTF-8 byte,
 * which is what byte-level vocabularies fall back to.
 *
 * @param asciiPerToken ASCII characters a token, > 0
 */
export function estimateTokens(text: string, asciiPerToken: number): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) < 0x80) ascii += 1;
  return Math.ceil(ascii / asciiPerToken) + (Buffer.byteLength(text) - ascii);
}

/** `pattern, path?` */
function describeInput(tool: ModelTool): string {
  const { properties, required } = tool.inputSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => (needed.has(name) ? name : `${name}?`)).join(', ');
}

/**
 * A line for each tool, for models that read tools in the prompt: `- NAME {inputs}: what it does`.
 */
function describeTools(tools: readonly ModelTool[]): string {
  return tools
    .map(
      (tool) => `- ${tool.name} {${describeInput(tool)}}: ${tool.description.replace(/\s+/g, ' ')}`,
    )
    .join('\n');
}
