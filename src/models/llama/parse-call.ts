import { KernelError } from '../../contracts/error.ts';
import type { ModelTool } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { isObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';
import { tidyInput } from './tidy-input.ts';

/**
 * Reads the input that a model wrote under the grammar of `callSchema()`.
 *
 * @throws {KernelError} `tool-failed` when it was cut. It is not repaired: the model did not write
 *   the end of such a call.
 */
export function parseCall(text: string, tool: ModelTool): JsonObject {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    const message = `the model's tool call ended early, after ${text.length} characters`;
    throw new KernelError('tool-failed', message, { cause: thrown });
  }
  if (!isObject(value)) {
    throw new KernelError('tool-failed', 'the model wrote JSON that is not the input of a tool');
  }
  return tidyInput(value, tool.inputSchema);
}
