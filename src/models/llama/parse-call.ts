import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import type { ModelTool } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-exact-json.ts';
import { answerChoice } from './call-schema.ts';
import { tidyInput } from './tidy-input.ts';

const callText = v.object({
  tool: v.string(),
  input: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** A chosen tool with its input, or the wish to answer in words. */
export type ParsedCall = { tool: string; input: JsonObject } | 'answer';

/**
 * Reads what a model wrote under the grammar of `callSchema()`.
 *
 * @throws {KernelError} `tool-failed` when it was cut or is not a call of these tools. It is not
 *   repaired: a call whose end nobody wrote is not the model's.
 */
export function parseCall(text: string, tools: readonly ModelTool[]): ParsedCall {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    const message = `the model's tool call ended early, after ${text.length} characters`;
    throw new KernelError('tool-failed', message, { cause: thrown });
  }
  const parsed = v.safeParse(callText, value);
  if (!parsed.success) {
    throw new KernelError('tool-failed', 'the model wrote JSON that is not a tool call');
  }
  if (parsed.output.tool === answerChoice) return 'answer';
  const tool = tools.find((candidate) => candidate.name === parsed.output.tool);
  if (tool === undefined) {
    const name = JSON.stringify(parsed.output.tool.slice(0, 80));
    throw new KernelError('tool-failed', `the model chose a tool that was not offered: ${name}`);
  }
  // JSON.parse made it, so every value is JSON.
  const input = parsed.output.input as JsonObject;
  return { tool: tool.name, input: tidyInput(input, tool.inputSchema) };
}
