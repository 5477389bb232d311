import { parseExactJson } from './parse-json.ts';
import type { ValueSchema } from './value-schema.ts';

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
