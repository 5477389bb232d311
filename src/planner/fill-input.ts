import type { Mentions } from '../contracts/intent.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';

/**
 * Input of a tool from the names in a question, by the names and types in its schema and the shape
 * of its examples. Of optional fields only paths and choices are filled: no other is plain enough.
 *
 * @returns undefined when something required is not in the question
 */
export function fillInput(tool: Tool, mentions: Mentions): JsonObject | undefined {
  if (missingInput(tool, mentions).length > 0) return undefined;
  const input: JsonObject = {};
  for (const [field, schema] of Object.entries(propertiesOf(tool))) {
    const isPlain = isPath(field, schema) || Array.isArray(schema.enum);
    if (!requiredOf(tool).includes(field) && !isPlain) continue;
    const value = valueFor(tool, field, mentions);
    if (value !== undefined) input[field] = value;
  }
  return input;
}

/** Names of what a tool requires and a question does not say. */
export function missingInput(tool: Tool, mentions: Mentions): string[] {
  return requiredOf(tool).filter((field) => valueFor(tool, field, mentions) === undefined);
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
  tool: Tool,
  field: string,
  { number, url, quoted, paths, names, text }: Mentions,
): string | number | string[] | undefined {
  const schema = propertiesOf(tool)[field] ?? {};
  if (schema.type === 'number' || schema.type === 'integer') {
    return number;
  }
  if (schema.type === 'array') {
    const isTexts = (schema.items as JsonObject | undefined)?.type === 'string';
    return isTexts && isPath(field, schema) && paths.length > 0 ? [...paths] : undefined;
  }
  if (schema.type !== 'string') return undefined;
  if (Array.isArray(schema.enum)) {
    const said = ` ${wordsOf(text).join(' ')} `.toLowerCase();
    return schema.enum.find(
      (choice) =>
        typeof choice === 'string' &&
        [` ${choice} `, ` ${choice}s `].some((word) => said.includes(word.toLowerCase())),
    ) as string | undefined;
  }
  if (schema.format === 'uri' || /^(?:url|uri|href)$|(?:Url|Uri|URL|URI)$/.test(field)) {
    return url;
  }
  if (/path|file|folder|dir/i.test(field)) return paths[0];
  if (/question|query|goal/i.test(field)) return text;
  return quoted ?? likeExample(tool, field, text) ?? names[0];
}

/** Words without the punctuation around them. */
function wordsOf(text: string): string[] {
  return text
    .split(/[\s,;()"'“”]+/)
    .map((word) => word.replace(/[.:?!]+$/, ''))
    .filter((word) => word !== '');
}

/**
 * The word that is written as an example of the field is: an address of a network, a date, a version.
 * The second field of that shape takes the second such word.
 */
function likeExample(tool: Tool, field: string, text: string): string | undefined {
  const shape = shapeIn(tool, field);
  if (shape === undefined) return undefined;
  const alike = requiredOf(tool).filter((name) => shapeIn(tool, name) === shape);
  return wordsOf(text).filter((word) => shapeOf(word) === shape)[Math.max(0, alike.indexOf(field))];
}

/** Of the first example; undefined where any word could have that shape. */
function shapeIn({ examples }: Tool, field: string): string | undefined {
  const example = examples.map((each) => each[field]).find((value) => typeof value === 'string');
  const shape = typeof example === 'string' ? shapeOf(example) : '';
  return /[9@#]/.test(shape) && shape.length > 1 && !/\s/.test(shape) ? shape : undefined;
}

/** `9.9.9.9/9` of `10.0.0.0/8`, `a@a.a` of an address of mail. */
function shapeOf(word: string): string {
  return word.replace(/[\p{L}\d]+/gu, (run) => (/\d/.test(run) ? '9' : 'a'));
}
