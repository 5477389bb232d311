import type { JsonObject, Tool } from '../contracts/tool.ts';
import { identifiersIn, pathsIn } from './question-words.ts';

/**
 * Input of a tool from the words of a question, by the names and types in its schema.
 *
 * @returns undefined when something required is not in the question
 */
export function fillInput(tool: Tool, question: string): JsonObject | undefined {
  const properties = (tool.inputSchema.properties ?? {}) as Record<string, JsonObject>;
  const required = (tool.inputSchema.required ?? []) as string[];
  const input: JsonObject = {};
  for (const field of required) {
    const value = valueFor(field, properties[field] ?? {}, question);
    if (value === undefined) return undefined;
    input[field] = value;
  }
  return input;
}

function valueFor(
  field: string,
  schema: JsonObject,
  question: string,
): string | number | undefined {
  if (schema.type === 'number' || schema.type === 'integer') {
    const number = /\b\d+(\.\d+)?\b/.exec(question)?.[0];
    return number === undefined ? undefined : Number(number);
  }
  if (schema.type !== 'string') return undefined;
  const quoted = /"([^"]+)"|'([^']+)'|“([^”]+)”/.exec(question);
  const literal = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3];
  if (schema.format === 'uri' || /^(?:url|uri|href)$|(?:Url|Uri|URL|URI)$/.test(field)) {
    return urlIn(question);
  }
  if (/path|file|folder|dir/i.test(field)) return pathsIn(question)[0] ?? undefined;
  if (/question|query|goal/i.test(field)) return question;
  return literal ?? identifiersIn(question)[0];
}

/** An address of the web as it stands there; no other word is one. */
export function urlIn(question: string): string | undefined {
  const found = /\bhttps?:\/\/[^\s"'“”<>]+/i.exec(question)?.[0].replace(/[).,;:?!]+$/, '');
  return found !== undefined && URL.canParse(found) ? found : undefined;
}
