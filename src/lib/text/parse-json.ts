import type { ValueSchema } from './value-text.ts';

/** Greatest depth of brackets outside strings; for text that is not JSON any number will do. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

/**
 * Strings are most of a text, and are not read letter by letter.
 *
 * @param start of the quote that begins it
 * @returns where the quote stands that ends it, or the text
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Deeper values overflow the stack of every function that calls itself for each level. */
const maxDepth = 500;

/** Whether JSON is nested deeper than what reads its value can follow. */
export function isTooDeep(json: string): boolean {
  return json.length > maxDepth && depthOf(json) > maxDepth;
}

/**
 * JSON whose whole numbers keep their digits: one that a number of JavaScript cannot hold becomes
 * a string of its digits, instead of another number. Tools with 64-bit integers take both.
 *
 * @throws {SyntaxError} for text that is not JSON, or is nested without an end
 */
export function parseExactJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('the JSON is nested too deep');
  // Most texts have no number that long, and a reviver makes parsing several times slower.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value) as (key: string, value: unknown) => unknown);
}

/**
 * The result of a tool: JSON, or a text. A tool whose schema is a text returns no JSON, and too
 * deeply nested JSON counts as a text.
 */
export function parseContent(content: string, schema?: ValueSchema): unknown {
  if (schema?.type === 'string' || isTooDeep(content)) return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** `pattern=TODO`; the name is that of a field of a tool's input. */
export const fieldWord = /^([A-Za-z_][\w.-]*)=(.*)$/s;

/** Fields by their names; a name that came twice holds a list. */
export type Fields = Map<string, unknown>;

/** @throws {FieldError} for a text that is of no type that its field takes */
export function addField(
  fields: Fields,
  key: string,
  text: string,
  schema: ValueSchema | undefined,
): void {
  const known = (schema?.properties ?? {}) as Record<string, ValueSchema>;
  const wanted = Object.hasOwn(known, key) ? known[key] : undefined;
  const value = typed(text, wanted);
  if (value === undefined) throw new FieldError(key, typesOf(wanted));
  const before = fields.get(key);
  fields.set(key, before === undefined ? value : [before, value].flat());
}

export class FieldError extends Error {
  override readonly name = 'FieldError';

  constructor(key: string, types: readonly string[]) {
    super(`${key} takes ${types.join(' or ')}`);
  }
}

function typesOf(schema: ValueSchema | undefined): string[] {
  if (schema === undefined) return [];
  const inner = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(inner)) return inner.flatMap((each) => typesOf(each as ValueSchema));
  if (Array.isArray(schema.enum) && schema.type === undefined)
    return schema.enum.map((each) => typeof each);
  return [schema.type].flat().filter((type) => typeof type === 'string');
}

/** A text as its field takes it; undefined where it is of no type that the field takes. */
function typed(text: string, schema: ValueSchema | undefined): unknown {
  const types = typesOf(schema);
  if (types.includes('string')) return text;
  const json = jsonOf(text);
  if (types.length === 0) return json ?? text;
  if (types.includes('array')) {
    if (Array.isArray(json)) return json;
    const item = typed(text, schema?.items as ValueSchema | undefined);
    return item === undefined ? undefined : [item];
  }
  if (types.includes('integer') || types.includes('number')) {
    // The digits of a number that is too long for a number of JavaScript.
    if (typeof json === 'number' || (json !== undefined && /^-?\d+$/.test(text))) return json;
  }
  if (types.includes('boolean') && typeof json === 'boolean') return json;
  return types.includes('object') && typeof json === 'object' ? json : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
