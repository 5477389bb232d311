import * as v from 'valibot';
import type { ModelToolCall } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';

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
