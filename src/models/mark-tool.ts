import type { ModelTool } from '../contracts/model.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { isObject } from '../contracts/tool.ts';

/** A longer description does not help a model to choose. */
const maxDescriptionBytes = 2 * 1024;

/** Keywords of JSON Schema whose values are prose or free data, and constrain nothing. */
const prose: ReadonlySet<string> = new Set([
  ...['description', 'title', '$comment', 'examples', 'example', 'default', 'deprecated'],
]);
/** Keywords whose values have names of their own as keys. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);

/**
 * A tool as it is offered to a model. A stranger's words about its plugin and inputs are marked as
 * that plugin's own, and its schema keeps only constraints.
 */
export function markTool(
  tool: ModelTool,
  mark: (part: { source: string; text: string; maxBytes: number; nonce: string }) => string,
  nonce: string,
): ModelTool {
  const { name, wordsOf } = tool;
  if (wordsOf === undefined) return tool;
  const inputs: string[] = [];
  const inputSchema = withoutProse(tool.inputSchema, '', inputs);
  const text = [tool.description, ...inputs].join('\n');
  const source = `the plugin ${wordsOf}, its own words about its tool`;
  return {
    name,
    description: mark({ source, text, maxBytes: maxDescriptionBytes, nonce }),
    inputSchema,
  };
}

/** @param told gets a line for each description that is taken out, with the place of its input */
function withoutProse(schema: JsonObject, place: string, told: string[]): JsonObject {
  const kept: JsonObject = {};
  if (place !== '' && typeof schema.description === 'string') {
    told.push(`${place}: ${schema.description}`);
  }
  for (const [key, value] of Object.entries(schema)) {
    if (prose.has(key)) continue;
    if (named.has(key) && isObject(value)) {
      kept[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => {
          const at = place === '' ? name : `${place}.${name}`;
          return [name, isObject(inner) ? withoutProse(inner, at, told) : inner];
        }),
      );
    } else if (isObject(value)) kept[key] = withoutProse(value, place, told);
    else if (Array.isArray(value)) {
      kept[key] = value.map((inner) =>
        isObject(inner) ? withoutProse(inner, place, told) : inner,
      );
    } else kept[key] = value;
  }
  return kept;
}
