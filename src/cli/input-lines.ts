import type { Json, JsonObject } from '../contracts/tool.ts';
import { isObject } from '../contracts/tool.ts';
import { oneLine } from './output.ts';

/** What a tool takes, a line for each field of its input's schema. */
export function inputLines(schema: JsonObject): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  if (properties.length === 0) {
    const isClosed = schema.additionalProperties === false;
    return [isClosed ? 'Input: {} (no fields)' : 'Input: an object; no fields are named'];
  }
  const required = (schema.required ?? []) as string[];
  const fields = properties.map(([field, each]) => {
    const need = required.includes(field) ? 'required' : 'optional';
    const left = each.default === undefined ? '' : `, else ${short(each.default)}`;
    const about = typeof each.description === 'string' ? `: ${each.description}` : '';
    return oneLine(`  ${field} (${typeOf(each)}, ${need}${left})${about}`);
  });
  return ['Input:', ...fields];
}

/** Allowed values that are shown. */
const maxChoices = 12;

/** Several types read as `integer or string`. */
function typeOf(schema: JsonObject): string {
  const { type, items } = schema;
  const constant = schema.const === undefined ? [] : [schema.const];
  const choices = Array.isArray(schema.enum) ? schema.enum : constant;
  if (choices.length > 0) return listed(choices.map(short));
  const inner = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(inner)) {
    const types = inner.map((each) => typeOf(each as JsonObject));
    return types.includes('any') ? 'any' : listed([...new Set(types)]);
  }
  if (typeof type !== 'string') return 'any';
  const item = type === 'array' && isObject(items) ? typeOf(items) : 'any';
  return item === 'any' ? type : `${type} of ${item}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - maxChoices;
  const last = more > 0 ? `${more} more` : names.at(-1);
  const others = more > 0 ? names.slice(0, maxChoices) : names.slice(0, -1);
  return others.length === 0 ? `${last}` : `${others.join(', ')} or ${last}`;
}

/** JSON of a value, its beginning where it is long. */
function short(value: Json): string {
  const json = JSON.stringify(value);
  return json.length > 40 ? `${json.slice(0, 40)}…` : json;
}
