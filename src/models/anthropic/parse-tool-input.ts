import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { parseExactJson } from '../../lib/parse-exact-json.ts';

const maxInputChars = 1024 * 1024;
const inputObject = v.record(v.string(), v.unknown());

/**
 * @param json the input of a call as the provider streamed it; empty for no input
 * @throws {KernelError} `tool-failed` when it is above 1 Mi characters or no JSON object
 */
export function parseToolInput(tool: string, json: string): JsonObject {
  if (json.trim() === '') return {};
  if (json.length > maxInputChars) {
    const size = `${json.length} characters, limit ${maxInputChars}`;
    throw new KernelError('tool-failed', `the model's input for "${tool}" has ${size}`);
  }
  try {
    // JSON.parse made it, so every value is JSON.
    return v.parse(inputObject, parseExactJson(json)) as JsonObject;
  } catch (thrown) {
    throw new KernelError('tool-failed', `the model's input for "${tool}" is no JSON object`, {
      cause: thrown,
    });
  }
}
