import type { Mentions } from '../contracts/intent.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';

/**
 * Input of a tool from what a question names, by the names and types in its schema. Of what is
 * optional only paths are taken: nothing else is plain enough.
 *
 * @returns undefined when something required is not in the question
 */
export function fillInput(tool: Tool, mentions: Mentions): JsonObject | undefined {
  if (missingInput(tool, mentions).length > 0) return undefined;
  const input: JsonObject = {};
  for (const [field, schema] of Object.entries(propertiesOf(tool))) {
    if (!requiredOf(tool).includes(field) && !isPath(field, schema)) continue;
    const value = valueFor(field, schema, mentions);
    if (value !== undefined) input[field] = value;
  }
  return input;
}

/** Names of what a tool requires and a question does not say. */
export function missingInput(tool: Tool, mentions: Mentions): string[] {
  const properties = propertiesOf(tool);
  return requiredOf(tool).filter(
    (field) => valueFor(field, properties[field] ?? {}, mentions) === undefined,
  );
}

function propertiesOf(tool: Tool): Record<string, JsonObject> {
  return (tool.inputSchema.properties ?? {}) as Record<string, JsonObject>;
}

function requiredOf(tool: Tool): readonly string[] {
  return (tool.inputSchema.required ?? []) as string[];
}

function isPath(field: string, { type }: JsonObject): boolean {
  return (type === 'string' || type === 'array') && /path|file|folder|dir/i.test(field);
}

function valueFor(
  field: string,
  schema: JsonObject,
  { number, url, quoted, paths, names, text }: Mentions,
): string | number | string[] | undefined {
  if (schema.type === 'number' || schema.type === 'integer') {
    return number;
  }
  if (schema.type === 'array') {
    const isTexts = (schema.items as JsonObject | undefined)?.type === 'string';
    return isTexts && isPath(field, schema) && paths.length > 0 ? [...paths] : undefined;
  }
  if (schema.type !== 'string') return undefined;
  if (Array.isArray(schema.enum)) {
    const said = text.toLowerCase();
    return schema.enum.find(
      (choice) => typeof choice === 'string' && said.includes(choice.toLowerCase()),
    ) as string | undefined;
  }
  if (schema.format === 'uri' || /^(?:url|uri|href)$|(?:Url|Uri|URL|URI)$/.test(field)) {
    return url;
  }
  if (/path|file|folder|dir/i.test(field)) return paths[0];
  if (/question|query|goal/i.test(field)) return text;
  return quoted ?? names[0];
}
