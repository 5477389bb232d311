import { KernelError } from '../../contracts/error.ts';
import type { ModelTool } from '../../contracts/model.ts';
import { isObject, type Json, type JsonObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';

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

/** JSON writes 1e999, which reads as infinity; then the bound, or 0, is what can be kept. */
function tidyNumber(value: number, schema: JsonObject): number {
  const low = typeof schema.minimum === 'number' ? schema.minimum : -Number.MAX_SAFE_INTEGER;
  const high = typeof schema.maximum === 'number' ? schema.maximum : Number.MAX_SAFE_INTEGER;
  return Math.min(Math.max(Number.isFinite(value) ? value : 0, low), high);
}

function tidyValue(value: Json, schema: JsonObject): Json {
  if (typeof value === 'number') return tidyNumber(value, schema);
  if (isObject(value)) return tidyInput(value, schema);
  if (!Array.isArray(value)) return value;
  const items = isObject(schema.items) ? schema.items : {};
  return value.map((item) => tidyValue(item, items));
}

/**
 * Undoes what the grammar had to add: a null for a property that is not required goes, numbers
 * are moved into the range that the grammar could not express. Nothing else is changed; whether
 * the input is right is for the tool to say.
 *
 * @param schema the tool's own JSON Schema of the input
 */
function tidyInput(input: JsonObject, schema: JsonObject): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const tidy: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    if (value === null && !required.has(key)) continue;
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    tidy[key] = tidyValue(value, isObject(known) ? known : {});
  }
  return tidy;
}
