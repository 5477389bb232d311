import * as v from 'valibot';
import type { ModelRequest, ModelToolCall } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';

/** All providers accept names of up to 64 letters, digits, `_` and `-`. */
const maxNameChars = 64;

/** Names of tools as the provider takes them, both ways. */
export type ToolNames = { toProvider(name: string): string; fromProvider(name: string): string };

/**
 * `search.grep` is `search__grep` to the provider. Names that would then be the same get a number.
 *
 * @param names of all tools that the request speaks of, also in earlier calls
 */
export function createToolNames(names: Iterable<string>): ToolNames {
  const outward = new Map<string, string>();
  const inward = new Map<string, string>();
  for (const name of names) {
    if (outward.has(name)) continue;
    const plain = name
      .replaceAll('.', '__')
      .replace(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, maxNameChars - 4)
      // A model may call a tool with an empty name, which no provider accepts in a request.
      .replace(/^$/, 'unnamed');
    let unique = plain;
    for (let n = 2; inward.has(unique); n += 1) unique = `${plain}_${n}`;
    outward.set(name, unique);
    inward.set(unique, name);
  }
  return {
    toProvider: (name) => outward.get(name) ?? name,
    fromProvider: (name) => inward.get(name) ?? name,
  };
}

/** The names of the offered tools and of earlier calls. */
export function toolNamesOf({ tools, messages }: ModelRequest): ToolNames {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return createToolNames([...tools, ...calls].map(({ name }) => name));
}

const inputObject = v.record(v.string(), v.unknown());

/**
 * Parses the input of a call. If it is not a JSON object, `fault` tells the model so, and it may
 * call again.
 *
 * @param json the input of a call as the provider streamed it; empty for no input
 */
export function parseToolInput(json: string): Pick<ModelToolCall, 'input' | 'fault'> {
  if (json.trim() === '') return { input: {} };
  try {
    const given = parseExactJson(json);
    // Some models write the object as a text.
    const value = typeof given === 'string' ? parseExactJson(given) : given;
    // JSON.parse made it, so every value is JSON.
    return { input: v.parse(inputObject, value, { abortEarly: true }) as JsonObject };
  } catch {
    return { input: {}, fault: 'the input is not a JSON object' };
  }
}

/** Whether a streamed input is complete. */
export function isWholeInput(json: string): boolean {
  return json.trim() !== '' && parseToolInput(json).fault === undefined;
}

/** No reply has so many tokens, and none costs so many dollars. */
const most = 1e9;

/**
 * A number that a server reports. Impossible values, such as a negative number or a text, are
 * dropped, so that they cannot raise a budget.
 */
export function parseCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined;
}
