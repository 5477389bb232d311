import type { JsonObject } from '../../src/contracts/tool.ts';

/** How much of what a schema leaves open is there: the least, or more of it. */
export type Fill = 'least' | 'more';

/**
 * An input that a JSON Schema of our own making allows: of every choice the first, or the last,
 * of what may be left out nothing, or all. Knows the words that derived schemas use.
 */
export function inputFor(schema: JsonObject, fill: Fill): unknown {
  if ('const' in schema) return schema.const;
  const {
    anyOf,
    enum: names,
    type,
  } = schema as {
    anyOf?: JsonObject[];
    enum?: unknown[];
    type?: string | string[];
  };
  if (Array.isArray(names)) return fill === 'least' ? names[0] : names.at(-1);
  if (Array.isArray(anyOf)) return ofChoices(anyOf, fill);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return ofObject(schema, fill);
    case 'array':
      return ofArray(schema, fill);
    case 'string':
      return ofString(schema, fill);
    case 'integer':
      return ofInteger(schema, fill);
    case 'number':
      return fill === 'least' ? 0 : -1.5;
    case 'boolean':
      return fill === 'more';
    case 'null':
      return null;
    default:
      return fill === 'least' ? '' : 'text';
  }
}

function ofChoices(choices: readonly JsonObject[], fill: Fill): unknown {
  const [first = {}] = choices;
  // An option is its value or null: the least of it is null.
  const isOption = choices.length === 2 && choices[1]?.type === 'null';
  if (isOption) return fill === 'least' ? null : inputFor(first, fill);
  return inputFor(fill === 'least' ? first : (choices.at(-1) ?? {}), fill);
}

function ofObject(schema: JsonObject, fill: Fill): JsonObject {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  const required = (schema.required ?? []) as string[];
  const names = Object.keys(properties).filter(
    (name) => fill === 'more' || required.includes(name),
  );
  return Object.fromEntries(
    names.map((name) => [name, inputFor(properties[name] ?? {}, fill) as JsonObject]),
  );
}

function ofArray(schema: JsonObject, fill: Fill): unknown[] {
  const fixed = schema.prefixItems as JsonObject[] | undefined;
  if (fixed !== undefined) return fixed.map((each) => inputFor(each, fill));
  const least = (schema.minItems as number | undefined) ?? 0;
  const most = (schema.maxItems as number | undefined) ?? Number.POSITIVE_INFINITY;
  const wanted = schema.uniqueItems === true ? 1 : 3;
  const count = fill === 'least' ? least : Math.min(most, Math.max(least, wanted));
  const items = (schema.items ?? {}) as JsonObject;
  return Array.from({ length: count }, () => inputFor(items, fill));
}

function ofString(schema: JsonObject, fill: Fill): string {
  if (typeof schema.pattern === 'string') return fill === 'least' ? '0' : '9007199254740993';
  if (typeof schema.minLength === 'number' && schema.contentEncoding === 'base64')
    return Buffer.alloc(Math.floor((schema.minLength * 3) / 4)).toString('base64');
  if (schema.contentEncoding === 'base64') return fill === 'least' ? '' : 'AP8=';
  if (schema.maxLength === 1) return fill === 'least' ? 'a' : '😀';
  return fill === 'least' ? '' : 'größer 😀\u0000 "quoted"\n';
}

function ofInteger(schema: JsonObject, fill: Fill): number {
  const { minimum = -5, maximum = 7 } = schema as { minimum?: number; maximum?: number };
  return fill === 'least' ? minimum : maximum;
}
