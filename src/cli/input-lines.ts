import type { JsonObject } from '../contracts/tool.ts';
import { oneLine } from './output.ts';

/** What a tool takes, a line for each field of its input's schema. */
export function inputLines(schema: JsonObject): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  if (properties.length === 0) {
    const isClosed = schema.additionalProperties === false;
    return [isClosed ? 'Input: {} (it takes no field)' : 'Input: an object; it names no field'];
  }
  const required = (schema.required ?? []) as string[];
  const fields = properties.map(([field, each]) => {
    const need = required.includes(field) ? 'required' : 'optional';
    const about = typeof each.description === 'string' ? `: ${each.description}` : '';
    return oneLine(`  ${field} (${typeOf(each)}, ${need})${about}`);
  });
  return ['Input:', ...fields];
}

/** One of several types is told as such: `integer or string`. */
function typeOf({ type, anyOf }: JsonObject): string {
  if (typeof type === 'string') return type;
  const types = Array.isArray(anyOf) ? anyOf.map((each) => (each as JsonObject).type) : [];
  return types.length > 0 && types.every((each) => typeof each === 'string')
    ? types.join(' or ')
    : 'any';
}
