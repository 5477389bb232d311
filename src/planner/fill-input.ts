import type { Mentions } from '../contracts/intent.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';

/**
 * Input of a tool from what a question names, by the names and types in its schema.
 *
 * @returns undefined when something required is not in the question
 */
export function fillInput(tool: Tool, mentions: Mentions): JsonObject | undefined {
  const properties = (tool.inputSchema.properties ?? {}) as Record<string, JsonObject>;
  const required = (tool.inputSchema.required ?? []) as string[];
  const input: JsonObject = {};
  for (const field of required) {
    const value = valueFor(field, properties[field] ?? {}, mentions);
    if (value === undefined) return undefined;
    input[field] = value;
  }
  return input;
}

function valueFor(
  field: string,
  schema: JsonObject,
  { number, url, quoted, paths, names, text }: Mentions,
): string | number | undefined {
  if (schema.type === 'number' || schema.type === 'integer') {
    return number;
  }
  if (schema.type !== 'string') return undefined;
  if (schema.format === 'uri' || /^(?:url|uri|href)$|(?:Url|Uri|URL|URI)$/.test(field)) {
    return url;
  }
  if (/path|file|folder|dir/i.test(field)) return paths[0];
  if (/question|query|goal/i.test(field)) return text;
  return quoted ?? names[0];
}
